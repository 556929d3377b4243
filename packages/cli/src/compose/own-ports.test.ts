import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_PORT, notePort, portsInUse } from './own-ports.js';

test('the ports of servers that run are known to others, and those of dead ones are not [P5] [W3]', () => {
  const home = mkdtempSync(join(tmpdir(), 'countersign-ports-'));
  const env = { COUNTERSIGN_HOME: home };
  try {
    expect(portsInUse(env)).toEqual([DEFAULT_PORT]);
    const forget = notePort(4711, env);
    expect(portsInUse(env)).toEqual([DEFAULT_PORT, 4711]);
    forget();
    expect(portsInUse(env)).toEqual([DEFAULT_PORT]);
    mkdirSync(join(home, 'serving'), { recursive: true });
    // No process has a number that large.
    writeFileSync(join(home, 'serving', '99999999'), '4712');
    writeFileSync(join(home, 'serving', String(process.pid)), 'nonsense');
    expect(portsInUse(env)).toEqual([DEFAULT_PORT]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
