import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import { slowdown, stopwatch } from '@countersign/testkit';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shellOptions } from '../confined-command/options.js';
import { runShellCommand } from '../run-shell-command/run-shell-command.js';
import { UNAVAILABLE } from '../run-shell-command/testing/sandbox-here.js';
import { startChild } from '../run-shell-command/testing/start-child.js';
import {
  came,
  processesWith,
  type TemporaryShell,
  temporaryShell,
} from '../run-shell-command/testing/temporary-shell.js';
import { carryOut } from '../testing/carry-out.js';
import { listBackgroundProcesses } from './list-background-processes.js';
import { readBackgroundOutput } from './read-background-output.js';
import { stopBackgroundProcess } from './stop-background-process.js';

let shell: TemporaryShell;
beforeEach(() => {
  shell = temporaryShell();
});
afterEach(async () => {
  await leave();
  shell.remove();
});

const leave = async () =>
  runShellCommand(shellOptions({})).leave?.({ sessionId: 's', sessionDirectory: shell.sessionDirectory });
/** `carryOut` has the session's directory where `temporaryShell` has it. */
const call = (tool: Tool, args: JsonObject = {}) =>
  came(carryOut(tool, args, { workspace: shell.workspace }).then(({ result }) => result));
/** Enough for a command to begin and to print. */
const aMoment = async () => Math.ceil(500 * (await slowdown()));
/** For what is sure to happen, on a busy machine as well. */
const PATIENTLY = { timeout: 20_000 };
const list = async () => (await call(listBackgroundProcesses)).text;

async function start(command: string, args: JsonObject = {}): Promise<number> {
  const { text } = await shell.run({ command, is_background: true, ...args });
  const [, pid] = /^Started in the background as process (\d+)\.\n/.exec(text) ?? [];
  return Number(pid);
}
let sleeps = 0;
const ownSleep = () => `sleep 400.${process.pid}${(sleeps += 1)}`;

test('a background command answers at once with its process id, and continues [X2]', async () => {
  const elapsedMs = stopwatch();
  const pid = await start(`echo up; ${ownSleep()}`);
  expect(elapsedMs()).toBeLessThan(5_000);
  expect(readFileSync(`/proc/${pid}/comm`, 'utf8').trim()).toMatch(/^(bash|sleep)$/);
  await vi.waitFor(
    async () =>
      expect((await call(readBackgroundOutput, { pid })).text).toMatch(
        /^up\n\[Process \d+: running\. All output: .*output\]$/,
      ),
    PATIENTLY,
  );
});

test('after delay_ms it answers with its first output [X2]', async () => {
  const came = await shell.run({
    command: `echo up; ${ownSleep()}`,
    is_background: true,
    delay_ms: await aMoment(),
  });
  expect(came.text).toMatch(/^Started in the background as process \d+\.\nup\n\[read_background_output/);
});

test('one that ends within the delay answers like any other command [X2, X4]', async () => {
  const failed = await shell.run({ command: 'echo no; exit 4', is_background: true, delay_ms: 20_000 });
  expect(failed).toMatchObject({
    failure: { code: 'command_failed', exitCode: 4 },
    text: 'no\nExit code: 4',
  });
});

test('they are listed with what became of them [X2]', async () => {
  expect(await list()).toBe('This session has no background processes.');
  const sleep = ownSleep();
  const [long, short] = [await start(sleep), await start('sleep 2; exit 3')];
  expect(await list()).toBe(`${long}: running: ${sleep}\n${short}: running: sleep 2; exit 3`);
  await vi.waitFor(
    async () => expect(await list()).toContain(`${short}: ended with exit code 3: sleep 2`),
    PATIENTLY,
  );
});

test('as many lines are read as are asked for, after a delay if wanted [X2]', async () => {
  const command = 'seq 500; until [ -e seen ]; do sleep 0.02; done; printf "the end"';
  const pid = await start(command, { delay_ms: await aMoment() });
  const first = await call(readBackgroundOutput, { pid, lines: 2 });
  expect(first.text).toMatch(/^499\n500\n\[Process/);
  shell.put('seen', '');
  const second = await call(readBackgroundOutput, { pid, lines: 1, delay_ms: await aMoment() });
  expect(second.text).toMatch(/^the end\n\[Process \d+: ended with exit code 0\. /);
});

test('one is stopped with all that it started, and the result states how it ended [X2, X3]', async () => {
  const sleep = ownSleep();
  const pid = await start(`echo up; setsid ${sleep} & ${sleep}`, { delay_ms: await aMoment() });
  const stopped = await call(stopBackgroundProcess, { pid });
  expect(stopped.text).toBe(
    `up\n[Process ${pid} was stopped: ended with exit code 143 (128 + 15, ended by SIGTERM).]`,
  );
  expect(processesWith(sleep)).toEqual([]);
  expect((await call(stopBackgroundProcess, { pid })).text).toContain('had ended already');
});

test.each(['', ' >/dev/stderr'])('the process id is one that `kill` understands%s [X2]', async (more) => {
  const pid = await start(`${ownSleep()}${more}`);
  await shell.run(`kill ${pid}`);
  await vi.waitFor(async () => expect(await list()).toContain('ended by SIGTERM'), PATIENTLY);
});

describe('a process id that is not of this session', () => {
  test.each([readBackgroundOutput, stopBackgroundProcess])('is refused: $name [X2]', async (tool) => {
    expect(await call(tool, { pid: process.pid })).toMatchObject({
      failure: { code: 'unknown_process', pid: process.pid, known: [] },
    });
    const pid = await start(ownSleep());
    expect(await call(tool, { pid: 1 })).toMatchObject({ failure: { known: [pid] } });
  });
});

test('after a crash of the program they can still be listed, read and stopped [X5]', async () => {
  const sleep = ownSleep();
  const args = { command: `echo up; ${sleep}`, is_background: true, delay_ms: await aMoment() };
  const child = startChild(shell.workspace, shell.directoryOf(1), args, { afterwards: 'stay' });
  const said = await child.said();
  expect(said).toEqual({ pid: expect.any(Number) });
  await child.said();
  await child.crash();
  const pid = Number(/^(\d+): running: echo up/.exec(await list())?.[1]);
  expect(said).toEqual({ pid });
  expect((await call(readBackgroundOutput, { pid })).text).toMatch(/^up\n\[Process \d+: running/);
  expect((await call(stopBackgroundProcess, { pid })).text).toContain('was stopped');
  expect(processesWith(sleep)).toEqual([]);
});

test('one whose start was not yet answered when the program died is answered with the same process [X5]', async () => {
  const sleep = ownSleep();
  const args = { command: sleep, is_background: true, delay_ms: 60_000 };
  const child = startChild(shell.workspace, shell.directoryOf(1), args);
  const said = await child.said();
  await child.crash();
  const again = await shell.resume({ ...args, delay_ms: 0 }, { call: 1 });
  const [, pid] = /as process (\d+)\./.exec(again.text) ?? [];
  expect(said).toEqual({ pid: Number(pid) });
  expect(processesWith(sleep).filter((line) => line === `${sleep} `)).toHaveLength(1);
});

test('leaving the session ends them all [S6]', async () => {
  const sleep = ownSleep();
  await Promise.all([start(sleep), start(`setsid ${sleep}`), start(`trap '' HUP; ${sleep}`)]);
  await leave();
  expect(processesWith(sleep)).toEqual([]);
});

test('leaving ends also what a command left that was killed itself [S6, X3]', async () => {
  const sleep = ownSleep();
  const pid = await start(`${sleep}; true`, { delay_ms: await aMoment() });
  process.kill(pid, 'SIGKILL');
  await leave();
  expect(processesWith(sleep)).toEqual([]);
});

test('the program can end while they run: nothing of ours waits for them [S6]', async () => {
  const sleep = ownSleep();
  const child = startChild(shell.workspace, shell.directoryOf(1), { command: sleep, is_background: true });
  await child.said();
  await child.said();
  await expect(child.said()).rejects.toThrow('it said nothing more');
});

test('limits that were asked for hold in the background, and the reason can be read [X2]', async () => {
  const sleep = ownSleep();
  const pid = await start(sleep, { timeout_ms: 300 });
  await delay(1_000);
  await vi.waitFor(
    async () =>
      expect((await call(readBackgroundOutput, { pid })).text).toContain(
        'Stopped after its time limit of 300 ms.',
      ),
    PATIENTLY,
  );
  expect(processesWith(sleep)).toEqual([]);
});

test('cancelling while its first output is awaited ends it [L5]', async () => {
  const sleep = ownSleep();
  const args = { command: sleep, is_background: true, delay_ms: 30_000 };
  const abort = new AbortController();
  const running = shell.run(args, { signal: abort.signal });
  await expect.poll(() => processesWith(sleep)).not.toEqual([]);
  abort.abort();
  expect(await running).toMatchObject({
    failure: { message: 'The command was stopped before it finished.' },
  });
  expect(processesWith(sleep)).toEqual([]);
});

test('what is kept of them is for their owner only', async () => {
  await start(ownSleep());
  const { text } = await shell.run(
    `stat -c %a ${join(shell.sessionDirectory, 'background')} ${shell.directoryOf(1)}`,
  );
  expect(text).toBe('700\n700\nExit code: 0');
});

describe('confined in the background', () => {
  skipBecause(UNAVAILABLE);
  beforeEach(() => {
    shell.remove();
    shell = temporaryShell({ sandbox: 'on' });
  });

  test('one that fails at once is denied like any other [X2, B2]', async () => {
    const command = '(exec 3<>/dev/tcp/192.0.2.1/80) || exit 1';
    expect(await shell.run({ command, is_background: true, delay_ms: 20_000 })).toMatchObject({
      failure: { code: 'sandbox_denied', need: { needs: 'network', host: '192.0.2.1' } },
    });
  });

  test('the result states that nothing outside can connect to it, and later what the sandbox blocked and what it has planted [X2, B1, B2]', async () => {
    const command = 'echo up; sleep 0.3; touch .envrc; (exec 3<>/dev/tcp/192.0.2.1/80) || exit 1';
    const { text } = await shell.run({ command, is_background: true });
    expect(text).toContain('[It runs in the sandbox: programs outside cannot connect to it.]');
    const pid = Number(/process (\d+)/.exec(text)?.[1]);
    await vi.waitFor(
      async () =>
        expect((await call(readBackgroundOutput, { pid })).text).toMatch(
          /exit code 1; the sandbox blocked the network \(192\.0\.2\.1\)\. All output: .*\]\n\[Since it started, .*\.envrc/,
        ),
      PATIENTLY,
    );
  });

  test('stopping it, or leaving the session, leaves nothing of it [X2, X3]', async () => {
    const sleep = ownSleep();
    const pid = await start(`trap '' TERM; setsid ${sleep} & env -i setsid ${sleep} & ${sleep}`);
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('bash\n');
    const stopped = await call(stopBackgroundProcess, { pid });
    expect(stopped.text).toContain('was stopped: ended with exit code 137 (128 + 9, ended by SIGKILL)');
    expect(processesWith(sleep)).toEqual([]);
    await start(`setsid ${sleep} & ${sleep}`);
    await leave();
    expect(processesWith(sleep)).toEqual([]);
  });

  test('it is found again after a crash of the program [X2, X5]', async () => {
    const sleep = ownSleep();
    const args = { command: `echo up; ${sleep}`, is_background: true };
    const child = startChild(shell.workspace, shell.directoryOf(1), args, {
      afterwards: 'stay',
      sandbox: 'on',
    });
    await child.said();
    await child.crash();
    expect(await list()).toMatch(new RegExp(`^\\d+: running: echo up; ${sleep}$`));
    await leave();
    expect(processesWith(sleep)).toEqual([]);
  });
});
