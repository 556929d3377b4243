import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  processesWith,
  type TemporaryShell,
  temporaryShell,
} from '../run-shell-command/testing/temporary-shell.js';
import { endAll } from './registry.js';

let shell: TemporaryShell;
beforeEach(() => {
  shell = temporaryShell();
});
afterEach(async () => {
  await endAll(shell.sessionDirectory);
  shell.remove();
});

test('a session has at most 32 of them running, and the failure lists which to stop [X2]', async () => {
  const args = { command: `sleep 500.${process.pid}`, is_background: true };
  for (let count = 0; count < 32; count += 1) expect((await shell.run(args)).ok).toBe(true);
  const refused = await shell.run(args);
  expect(refused).toMatchObject({
    failure: {
      message: expect.stringMatching(/^32 background processes are already running.*: \d+(, \d+){31}\.$/),
    },
  });
  await endAll(shell.sessionDirectory);
  expect((await shell.run(args)).ok).toBe(true);
  const running = () => processesWith(args.command).filter((line) => line === `${args.command} `);
  // On a busy machine the shell may not have become its command yet.
  await vi.waitFor(() => expect(running()).not.toEqual([]), 10_000);
  expect(running()).toHaveLength(1);
}, 60_000);
