import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { commandFiles } from './command-files.js';
import { RunningCommand } from './running-command.js';

const PID_FILE = '/nowhere/pid';
/** A process that becomes the same program over and over: it always waits for a command and never is one. */
const BECOMES_ITSELF =
  'export i=$((${i:-0} + 1)); if ((i < 1000)); then exec "$0" -c "$BASH_EXECUTION_STRING" "$0" "$1"; fi';

test('a process that is just becoming another program is not taken for the command [X2]', async () => {
  const leader = spawn('/bin/bash', [
    '-c',
    '"$0" -c "$2" "$0" "$1"; :',
    '/bin/bash',
    PID_FILE,
    BECOMES_ITSELF,
  ]);
  const command = new RunningCommand({
    files: commandFiles('/nowhere'),
    startedAt: Date.now(),
    output: -1,
    leader: leader.pid ?? 0,
    pidFile: PID_FILE,
    child: leader,
  });
  const ended = once(leader, 'exit');
  const named = new Set<number | null>();
  while (command.isLeaderAlive()) {
    for (let look = 0; look < 100; look += 1) named.add(command.commandPid());
    await new Promise(setImmediate);
  }
  await ended;
  named.delete(leader.pid ?? 0); // gone by then
  expect([...named]).toEqual([null]);
});
