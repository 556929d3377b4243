import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { timed } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOTH_WAYS } from './testing/sandbox-here.js';
import { processesWith, type TemporaryShell, temporaryShell } from './testing/temporary-shell.js';

let shell: TemporaryShell;
afterEach(() => shell.remove());

/** A length of time that no other test sleeps for, so that its processes can be distinguished. */
let sleeps = 0;
const ownSleep = () => `sleep 300.${process.pid}${(sleeps += 1)}`;

describe.each(BOTH_WAYS)('cancelling what runs $how', ({ sandbox }) => {
  beforeEach(() => {
    shell = temporaryShell({ sandbox });
  });

  test('ends the command and keeps what it had printed [L5, X3]', async () => {
    const sleep = ownSleep();
    const abort = new AbortController();
    const came = await shell.run(`echo begun; ${sleep}; echo never`, {
      signal: abort.signal,
      updateOutput: () => abort.abort(),
    });
    expect(came).toEqual({
      ok: false,
      failure: { code: 'execution_failed', message: 'The command was stopped before it finished.' },
      text: 'begun\n',
    });
    expect(processesWith(sleep)).toEqual([]);
  });

  test.each([
    ['in a session of its own', (sleep: string) => `setsid ${sleep} & wait`],
    ['forked twice', (sleep: string) => `(setsid nohup ${sleep} >/dev/null 2>&1 &); sleep 300`],
    ['without the environment', (sleep: string) => `env -i setsid ${sleep} & wait`],
    ['that ignores TERM', (sleep: string) => `trap '' TERM; ${sleep}; ${sleep}`],
    ['that forks on TERM', (sleep: string) => `trap 'setsid ${sleep} & exit' TERM; ${sleep} & wait`],
    ['that is stopped', (sleep: string) => `${sleep} & kill -STOP $!; wait`],
    ['in a pipe', (sleep: string) => `${sleep} | cat >/dev/stderr`],
  ])('leaves nothing behind of a process %s [X3]', async (_, command) => {
    const sleep = ownSleep();
    const abort = new AbortController();
    const running = shell.run(command(sleep), { signal: abort.signal });
    await expect.poll(() => processesWith(sleep)).not.toEqual([]);
    const { result, ms, lateMs } = await timed(() => {
      abort.abort();
      return running;
    });
    expect(result.ok).toBe(false);
    expect(processesWith(sleep)).toEqual([]);
    // Within what the engine waits for a tool to stop.
    expect(ms).toBeLessThan(4_300 + lateMs);
  });

  test('before anything was begun begins nothing [L5]', async () => {
    const came = await shell.run('touch begun', { signal: AbortSignal.abort() });
    expect(came).toMatchObject({ failure: { message: 'Stopped before it started.' } });
    expect(existsSync(join(shell.workspace, 'begun'))).toBe(false);
  });

  test('in the very moment of the start leaves nothing behind, however often [L5, X3]', async () => {
    const sleep = ownSleep();
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const abort = new AbortController();
        const running = shell.run(sleep, { signal: abort.signal });
        await delay(index);
        abort.abort();
        expect((await running).ok).toBe(false);
      }),
    );
    expect(processesWith(sleep)).toEqual([]);
  });
});

describe.each(BOTH_WAYS)('what a command that runs $how leaves running is ended with it', ({ sandbox }) => {
  beforeEach(() => {
    shell = temporaryShell({ sandbox });
  });

  test.each([
    ['in the background', (sleep: string) => `${sleep} &`],
    ['in a session of its own', (sleep: string) => `setsid ${sleep} >/dev/null 2>&1 &`],
    ['forked twice', (sleep: string) => `(setsid nohup ${sleep} >/dev/null 2>&1 &)`],
    ['that ignores HUP and is disowned', (sleep: string) => `nohup ${sleep} >/dev/null 2>&1 & disown`],
  ])('%s, and it is said [X3]', async (_, left) => {
    const sleep = ownSleep();
    // A moment for `setsid` to become another process.
    const came = await shell.run(`${left(sleep)}\nsleep 0.3; echo done`);
    expect(came.text).toBe(
      'done\n[1 process that it had left running was stopped. Use is_background for processes that should keep running.]\nExit code: 0',
    );
    expect(processesWith(sleep)).toEqual([]);
  });

  test('also after a command that took long enough for process ids to come round [X3]', async () => {
    const sleep = ownSleep();
    const came = await shell.run(`setsid ${sleep} & sleep 1.1`);
    expect(came.text).toContain('1 process that it had left running was stopped');
    expect(processesWith(sleep)).toEqual([]);
  });

  test('but not what another call runs at the same time [X3]', async () => {
    const other = shell.run('sleep 0.4; echo still here');
    await shell.run(`${ownSleep()} &`);
    expect((await other).text).toBe('still here\nExit code: 0');
  });
});

describe('limits', () => {
  beforeEach(() => {
    shell = temporaryShell();
  });

  test('a total time, with what was printed till then [S4, X2, X3]', async () => {
    const sleep = ownSleep();
    const came = await shell.run({ command: `echo begun; ${sleep}`, timeout_ms: 2_000 });
    expect(came).toEqual({
      ok: false,
      failure: { code: 'timed_out', afterMs: 2_000, stopped: true },
      text: 'begun\n',
    });
    expect(processesWith(sleep)).toEqual([]);
  });

  test('a time without output, which any output begins again [X2, X3]', async () => {
    const quiet = temporaryShell({ idleMs: 2_000 });
    const lively = await quiet.run('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.3; done');
    const sleep = ownSleep();
    const silent = await quiet.run(`echo begun; ${sleep}`);
    quiet.remove();
    expect(lively.text).toBe('1\n2\n3\n4\n5\n6\n7\n8\nExit code: 0');
    expect(silent).toEqual({ ok: false, failure: { code: 'fell_silent', afterMs: 2_000 }, text: 'begun\n' });
    expect(processesWith(sleep)).toEqual([]);
  });

  test('an amount of output [X1, X3]', async () => {
    const narrow = temporaryShell({ outputBytesMax: 1_000_000 });
    const came = await narrow.run('yes countersign-runaway', { call: 1 });
    narrow.remove();
    expect(came).toMatchObject({
      failure: { code: 'output_too_large', bytesMax: 1_000_000, path: join(narrow.directoryOf(1), 'output') },
    });
    expect(came.text).toMatch(/^countersign-runaway\n/);
    expect(processesWith('countersign-runaway')).toEqual([]);
  });
});
