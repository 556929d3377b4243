import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Serving } from './serving.js';

test('a server whose store was deleted is not ready [W1]', async () => {
  const serving = await Serving.start();
  try {
    const ready = async () => (await fetch(`${serving.server.url}/ready`)).status;
    expect(await ready()).toBe(200);
    rmSync(join(serving.directory, 'countersign.db'));
    expect(await ready()).toBe(503);
  } finally {
    await serving.close();
  }
});
