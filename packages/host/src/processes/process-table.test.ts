import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { membersOf } from './process-table.js';

const TAG = `COUNTERSIGN_TEST_TAG=${process.pid}`;
/** A process that becomes the same program over and over. */
const BECOMES_ITSELF =
  'export i=$((${i:-0} + 1)); if ((i < 1500)); then exec "$0" -c "$BASH_EXECUTION_STRING"; fi';

test('a process that is just becoming another program is found by its tag [X3]', async () => {
  const [name = '', value = ''] = TAG.split('=');
  const child = spawn('/bin/bash', ['-c', BECOMES_ITSELF, '/bin/bash'], {
    env: { ...process.env, [name]: value },
  });
  const ended = once(child, 'exit');
  const looks = { found: 0, missed: 0 };
  while (child.exitCode === null) {
    const members = await membersOf({ tag: TAG, leader: null });
    if (child.exitCode !== null) break;
    if (members.some(({ pid }) => pid === child.pid)) looks.found += 1;
    else looks.missed += 1;
  }
  await ended;
  // The last look may come when it has ended and is not yet reported.
  expect(looks.missed).toBeLessThanOrEqual(1);
  expect(looks.found).toBeGreaterThan(5);
});
