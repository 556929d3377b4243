import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'vitest';
import { test } from './program.js';

for (const command of [
  ['serve', '--port'],
  ['mcp', 'serve', '--http', '--port'],
])
  test(`${command.join(' ')} with a port that is taken ends at once with code 2 [M4]`, async ({ place }) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const ended = await place.run([...command, String(port)]);
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--port 0') });
    } finally {
      taken.close();
    }
  });
