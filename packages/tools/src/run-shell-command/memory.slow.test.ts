import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChild } from './testing/start-child.js';
import { type TemporaryShell, temporaryShell } from './testing/temporary-shell.js';

let shell: TemporaryShell;
beforeAll(() => {
  shell = temporaryShell();
});
afterAll(() => shell.remove());

let calls = 0;
const GROWTH_BYTES_MAX = 20_000_000;

test.each([
  ['100 MB of lines', 'yes | head -c 100000000'],
  ['100 MB in one line', "head -c 100000000 /dev/zero | tr '\\0' x"],
  ['100 MB of binary data', 'head -c 100000000 /dev/urandom'],
  ['50,000 lines one by one', 'for ((i = 0; i < 50000; i++)); do echo "line $i"; done'],
  ['100 MB over two seconds', 'for i in $(seq 20); do yes | head -c 5000000; sleep 0.1; done'],
])(
  'memory stays flat with %s [X1]',
  async (title, command) => {
    const child = startChild(shell.workspace, shell.directoryOf((calls += 1)), { command });
    let said = await child.said();
    if ('pid' in said) said = await child.said();
    if ('pid' in said) throw new Error('it has two processes');
    expect(said.ok).toBe(true);
    console.log(`${title}: grew by ${(said.grownBytes / 1e6).toFixed(1)} MB`);
    expect(said.grownBytes).toBeLessThan(GROWTH_BYTES_MAX);
  },
  60_000,
);
