import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beginCommand, bootId, callOff, commandFiles, findProcess, pidFileOf } from '@countersign/host';
import type { SandboxMode } from '@countersign/sandbox';
import { slowdown, timed } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BOTH_WAYS } from './testing/sandbox-here.js';
import { startChild } from './testing/start-child.js';
import { processesWith, type TemporaryShell, temporaryShell } from './testing/temporary-shell.js';

let shell: TemporaryShell;
let directory: string;
beforeEach(() => {
  shell = temporaryShell();
  directory = shell.directoryOf(1);
});
afterEach(() => shell.remove());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');
const textIn = (name: string) => readFileSync(join(directory, name), 'utf8');
/** A process of ours runs the command, and dies once the command has got so far. */
async function crashAt(command: string, sandbox: SandboxMode, point: () => void): Promise<void> {
  const child = startChild(shell.workspace, directory, { command }, { sandbox });
  await vi.waitFor(point, { timeout: 20_000, interval: 5 });
  await child.crash();
}

describe.each(BOTH_WAYS)('after a crash of the program, a command that ran $how and', ({ sandbox }) => {
  test('still runs is found again, and every line it prints arrives once [X5]', async () => {
    const command =
      'for i in $(seq 80); do echo $i; if [ $i = 10 ]; then until [ -e seen ]; do sleep 0.02; done; fi; done; exit 3';
    await crashAt(command, sandbox, () => expect(textIn('output')).toMatch(/^10$/m));
    expect(existsSync(join(directory, 'exit')) && textIn('exit')).toBe('');
    const shown: string[] = [];
    const came = await shell.resume(command, {
      call: 1,
      updateOutput: (text) => {
        shown.push(text);
        shell.put('seen', '');
      },
    });
    expect(came).toEqual({
      ok: false,
      failure: { code: 'command_failed', exitCode: 3, signal: null },
      text: `${numbers(80)}Exit code: 3`,
    });
    for (const text of shown) expect(numbers(80).startsWith(text)).toBe(true);
    expect(shown.length).toBeGreaterThan(0);
  });

  test('has ended meanwhile delivers its real exit code and output [X5]', async () => {
    const command = 'echo before; sleep 0.3; echo after; exit 7';
    await crashAt(command, sandbox, () => expect(textIn('output')).toBe('before\n'));
    await vi.waitFor(() => expect(textIn('exit')).toBe('exit 7\n'), { timeout: 20_000 });
    expect(await shell.resume(command, { call: 1 })).toMatchObject({
      failure: { code: 'command_failed', exitCode: 7 },
      text: 'before\nafter\nExit code: 7',
    });
  });

  test('can be cancelled, with all that it started [L5, X5]', async () => {
    const sleep = `sleep 301.${process.pid}`;
    await crashAt(`echo begun; setsid ${sleep} & ${sleep}`, sandbox, () =>
      expect(textIn('output')).toBe('begun\n'),
    );
    const came = await shell.resume(sleep, { call: 1, signal: AbortSignal.timeout(200) });
    expect(came).toMatchObject({ ok: false, text: 'begun\n' });
    expect(processesWith(sleep)).toEqual([]);
  });

  test('is given the time that is left of its own, counted from its start [S4, X5]', async () => {
    const sleep = `sleep 302.${process.pid}`;
    await crashAt(`echo begun; ${sleep}`, sandbox, () => expect(textIn('output')).toBe('begun\n'));
    const args = { command: sleep, timeout_ms: 2_000 };
    await delay(2_000);
    // The time of day was set back meanwhile: by that clock it begins only now.
    const { result, ms } = await timed(() => shell.resume(args, { call: 1, startedAt: Date.now() }));
    expect(result).toMatchObject({ failure: { code: 'timed_out', afterMs: 2_000, stopped: true } });
    expect(ms).toBeLessThan(1_500 * (await slowdown()));
    expect(processesWith(sleep)).toEqual([]);
  });

  test('is not ended because the time of day was set a day ahead [S4, X5]', async () => {
    const command = 'echo begun; until [ -e seen ]; do sleep 0.02; done; echo done';
    await crashAt(command, sandbox, () => expect(textIn('output')).toBe('begun\n'));
    const aDayAgo = Date.now() - 24 * 60 * 60_000;
    const came = shell.resume({ command, timeout_ms: 60_000 }, { call: 1, startedAt: aDayAgo });
    await delay(500);
    shell.put('seen', '');
    expect(await came).toMatchObject({ ok: true, text: expect.stringContaining('begun\ndone\n') });
  });

  test('whose supervisor was killed, too, is ended and reported as lost, with the evidence [X5]', async () => {
    const sleep = `sleep 303.${process.pid}`;
    await crashAt(`echo begun; ${sleep}`, sandbox, () => expect(textIn('output')).toBe('begun\n'));
    const leader = Number(textIn('pid-1').split(' ')[0]);
    process.kill(leader, 'SIGKILL');
    await vi.waitFor(() => expect(findProcess(leader)).toBeNull(), { timeout: 20_000 });
    expect(await shell.resume(sleep, { call: 1 })).toEqual({
      ok: false,
      failure: {
        code: 'command_lost',
        evidence: `process ${leader}, which waited for it, is gone and left no exit code`,
      },
      text: 'begun\n',
    });
    expect(processesWith(sleep)).toEqual([]);
  });
});

describe('a start that was written down and', () => {
  const beginHere = (keptIn: string, command: string) =>
    beginCommand({
      keptIn,
      number: 1,
      command,
      heldDirectory: shell.workspace,
      directory: shell.workspace,
      confine: null,
      host: process.env,
      pass: [],
      outputBytesMax: 1_000_000,
    });

  test('never happened is repeated, once [X5]', async () => {
    const came = await shell.resume('echo begun >>log; cat log', { call: 1 });
    expect(came.text).toBe('begun\nExit code: 0');
    const again = await shell.resume('echo begun >>log; cat log', { call: 1 });
    expect(again.text).toBe('begun\nExit code: 0');
    expect(readFileSync(join(shell.workspace, 'log'), 'utf8')).toBe('begun\n');
  });

  test.each(['before', 'at once', 'a moment later', 'after'] as const)(
    'is called off %s happens or not, and the canceller knows which [X5]',
    async (moment) => {
      for (let round = 0; round < 5; round += 1) {
        const keptIn = shell.directoryOf(100 + round);
        const pidFile = pidFileOf(commandFiles(keptIn), 1);
        const log = join(shell.workspace, `log-${round}`);
        mkdirSync(keptIn, { recursive: true });
        const isOffBefore = moment === 'before' && callOff(pidFile);
        const begun = beginHere(keptIn, `echo begun >>${log}`);
        const gone = new Promise<void>((resolve) => begun.onLeaderEnd(resolve));
        if (moment === 'a moment later') await delay(round);
        if (moment === 'after') await gone;
        const isOff = isOffBefore || callOff(pidFile);
        await gone;
        begun.close();
        expect(existsSync(log)).toBe(!isOff);
        if (moment === 'before') expect(isOff).toBe(true);
        if (moment === 'after') expect(isOff).toBe(false);
      }
    },
  );

  test('was to be stopped before that crash begins nothing [L5, X5]', async () => {
    const came = await shell.resume('touch begun', { call: 1, signal: AbortSignal.abort() });
    expect(came).toMatchObject({ failure: { message: 'Stopped before it started.' } });
    expect(existsSync(join(shell.workspace, 'begun'))).toBe(false);
  });

  test('recorded no process is reported as lost and not repeated [X5]', async () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'pid-1'), '');
    const came = await shell.resume('touch begun', { call: 1 });
    expect(came).toMatchObject({ failure: { code: 'command_lost' } });
    expect(existsSync(join(shell.workspace, 'begun'))).toBe(false);
  });
});

describe('a process id that', () => {
  const pretend = (pid: number, boot: string) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'pid-1'), `${pid} ${boot}\n`);
    writeFileSync(join(directory, 'output'), 'so far\n');
  };

  test('is another process by now is not taken for the command, and not harmed [X5]', async () => {
    pretend(process.pid, bootId());
    const came = await shell.resume('touch begun', { call: 1 });
    expect(came).toMatchObject({ failure: { code: 'command_lost' }, text: 'so far\n' });
    expect(existsSync(join(shell.workspace, 'begun'))).toBe(false);
  });

  test('was given before a restart of the machine is reported as such [X5]', async () => {
    pretend(1, 'another boot');
    const came = await shell.resume('touch begun', { call: 1 });
    expect(came).toMatchObject({
      failure: {
        code: 'command_lost',
        evidence: 'the machine was restarted after process 1 started it, and there is no exit code',
      },
    });
  });
});

test('a command whose supervisor is killed while we watch is ended and reported as lost [X4]', async () => {
  const sleep = `sleep 304.${process.pid}`;
  const running = shell.run(`echo begun; ${sleep}`, { call: 1 });
  await vi.waitFor(() => expect(textIn('output')).toBe('begun\n'), { timeout: 20_000 });
  const leader = Number(textIn('pid-1').split(' ')[0]);
  process.kill(leader, 'SIGKILL');
  expect(await running).toEqual({
    ok: false,
    failure: {
      code: 'command_lost',
      evidence: `process ${leader}, which waited for it, was terminated by SIGKILL`,
    },
    text: 'begun\n',
  });
  expect(processesWith(sleep)).toEqual([]);
});
