import { timed } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HookPlace, isGone, isRunning, saying, WRITE } from '../testing/hook-place.js';
import type { HookReport } from './combine.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
});
afterEach(() => place.remove());

const OVERRUN_MS_MAX = 100;

const failureIn = ({ runs }: HookReport) => {
  const outcome = runs[0]?.outcome;
  return outcome?.type === 'failed' ? outcome.failure : null;
};

/** A number of seconds to sleep that no other process sleeps for, by which a process is found. */
const uniqueSleep = () => `${1000 + Math.floor(Math.random() * 1e9)}.5`;

describe('the time limit is kept to within 100 ms, and nothing of the group is left [H3]', () => {
  test.each([
    ['a hook that sleeps', (word: string) => `sleep ${word}`],
    ['a shell that waits for what it started', (word: string) => `sleep ${word}; echo done`],
    [
      'a hook that ignores TERM',
      (word: string) => `trap '' TERM INT HUP; sleep ${word} & while :; do wait; sleep 1; done`,
    ],
    [
      'grandchildren that hold its output',
      (word: string) => `(sleep ${word} & sleep ${word}) & sleep ${word}`,
    ],
    ['a hook that was halted', (word: string) => `sleep ${word} & kill -STOP $$`],
    [
      'a hook that prints an answer and does not end',
      (word: string) => `echo '{"decision":"allow"}'; sleep ${word}`,
    ],
    ['a hook that closes all its streams', (word: string) => `exec <&- >&- 2>&-; sleep ${word}`],
  ])('%s', async (_, command) => {
    const word = uniqueSleep();
    const hook = { command: command(word), timeout: 300 };
    const { result, ms, lateMs } = await timed(() => place.before([hook]));
    expect(failureIn(result)).toEqual({ how: 'timed_out', afterMs: 300 });
    expect(result.verdict).toMatchObject({ type: 'deny', reason: expect.stringContaining('within 300 ms') });
    expect(ms).toBeGreaterThanOrEqual(300);
    expect(ms).toBeLessThan(300 + OVERRUN_MS_MAX + lateMs);
    expect(await isGone(word)).toBe(true);
  });

  test('a process that left the group is found by its tag, a moment later', async () => {
    const word = uniqueSleep();
    const command = `setsid sleep ${word} & sleep ${word}`;
    const { ms, lateMs } = await timed(() => place.before([{ command, timeout: 300 }]));
    expect(ms).toBeLessThan(300 + OVERRUN_MS_MAX + lateMs);
    await place.settle();
    expect(await isGone(word)).toBe(true);
  });

  test('twenty at once that all ignore TERM', async () => {
    const word = uniqueSleep();
    const hooks = Array.from({ length: 20 }, (_, index) => ({
      command: `trap '' TERM; : ${index}; sleep ${word}; sleep ${word}`,
      timeout: 500,
    }));
    const { result, lateMs } = await timed(() => place.before(hooks));
    expect(result.runs).toHaveLength(20);
    for (const { durationMs } of result.runs) expect(durationMs).toBeLessThan(500 + OVERRUN_MS_MAX + lateMs);
    expect(await isGone(word)).toBe(true);
  });
});

test('a hook that ends in time is not held up by what it left running, and that is ended [H3]', async () => {
  const word = uniqueSleep();
  const command = `sleep ${word} & trap '' TERM; (sleep ${word}; true) & ${saying({ decision: 'ask', reason: 'sure?' })}`;
  const { result, ms, lateMs } = await timed(() => place.before([{ command, timeout: 5_000 }]));
  expect(result.verdict).toEqual({ type: 'ask', reason: 'sure?' });
  expect(result.runs[0]?.leftRunning).toBe(true);
  expect(ms).toBeLessThan(1_000 + lateMs);
  expect(await isGone(word)).toBe(true);
});

test('a hook may leave a program running in a session of its own', async () => {
  const word = `3.${process.pid}`;
  const result = await place.before([{ command: `setsid -f sleep ${word} >/dev/null 2>&1` }]);
  expect(result.verdict).toEqual({ type: 'none' });
  expect(result.runs[0]?.leftRunning).toBe(false);
  // It is on its way, which takes a while where the machine is busy.
  await expect.poll(() => isRunning(word)).toBe(true);
});

test('what a hook prints through another process of its own is received [H1]', async () => {
  const command = `exec > >(cat; :); ${saying({ decision: 'deny', reason: 'through cat' })}`;
  const { verdict } = await place.before([{ command }]);
  expect(verdict).toEqual({ type: 'deny', reason: 'through cat' });
});

test('a hook that ends without a word while its output is still held has not answered [H3]', async () => {
  const word = uniqueSleep();
  const hook = { command: `sleep ${word} &`, timeout: 5_000 };
  const { result, ms, lateMs } = await timed(() => place.before([hook]));
  expect(result.verdict).toMatchObject({
    type: 'deny',
    reason: expect.stringContaining('still held its output'),
  });
  expect(ms).toBeLessThan(1_000 + lateMs);
  expect(await isGone(word)).toBe(true);
});

describe('a hook that prints too much', () => {
  test('is ended, and its memory is not ours [H3]', async () => {
    const before = process.memoryUsage().rss;
    const report = await place.before([{ command: 'head -c 100000000 /dev/zero' }]);
    expect(failureIn(report)).toMatchObject({ how: 'printed_too_much' });
    expect(report.verdict.type).toBe('deny');
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  test('to stderr is read to its end, and the beginning is kept', async () => {
    const command = `echo begins >&2; head -c 100000000 /dev/zero >&2; ${saying({ decision: 'allow' })}`;
    const report = await place.before([{ command }]);
    expect(report.verdict.type).toBe('allow');
    expect(report.runs[0]?.log).toMatch(/^begins\n/);
    expect(report.runs[0]?.log.length).toBeLessThan(20_000);
  });

  test('without end is ended long before its time', async () => {
    const hook = { command: 'yes', timeout: 10_000 };
    const { result, ms, lateMs } = await timed(() => place.before([hook]));
    expect(failureIn(result)).toMatchObject({ how: 'printed_too_much' });
    expect(ms).toBeLessThan(5_000 + lateMs);
  });
});

describe('a hook that does not read what it receives', () => {
  const payload = { ...WRITE, tool_input: { content: 'x'.repeat(1_000_000) } };
  const settings = (command: string, timeout: number) => ({
    hooks: { BeforeTool: [{ hooks: [{ type: 'command', command, timeout }] }] },
  });

  test.each([
    ['and ends', 'true'],
    ['and closes its stdin', `exec <&-; ${saying({})}`],
    ['and reads only the beginning', `head -c 10 >/dev/null; ${saying({})}`],
  ])('%s, is received [H1]', async (_, command) => {
    const { verdict } = await place.fire('BeforeTool', payload, settings(command, 20_000));
    expect(verdict).toEqual({ type: 'none' });
  });

  test('and does not end, is ended in time [H3]', async () => {
    const { result, ms, lateMs } = await timed(() =>
      place.fire('BeforeTool', payload, settings('sleep 60', 500)),
    );
    expect(failureIn(result)).toMatchObject({ how: 'timed_out' });
    expect(ms).toBeLessThan(500 + OVERRUN_MS_MAX + lateMs);
  });
});

describe('cancelling', () => {
  test('ends a running hook at once, and refuses what it would have looked at [H3]', async () => {
    const word = uniqueSleep();
    const controller = new AbortController();
    const command = `trap '' TERM; touch begun; sleep ${word}; sleep ${word}`;
    const running = place.before([{ command, onFailure: 'ignore' }], { signal: controller.signal });
    await expect.poll(() => place.has('begun')).toBe(true);
    const { result, ms, lateMs } = await timed(() => {
      controller.abort();
      return running;
    });
    expect(failureIn(result)).toEqual({ how: 'cancelled' });
    expect(result.verdict.type).toBe('deny');
    expect(ms).toBeLessThan(OVERRUN_MS_MAX + lateMs);
    expect(await isGone(word)).toBe(true);
  });

  test('before the start runs nothing, and in a row the rest is not started', async () => {
    const hooks = [{ command: 'touch one' }, { command: 'touch two' }];
    const report = await place.before(hooks, { signal: AbortSignal.abort(), sequential: true });
    expect(report.runs.map(({ outcome }) => outcome.type === 'failed' && outcome.failure.how)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect([place.has('one'), place.has('two')]).toEqual([false, false]);
  });

  test('leaves no listener behind', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    await place.before([{ command: 'true' }, { command: 'exit 3' }], { signal });
    expect(listeners).toBe(0);
  });
});

test('a shell of the project itself is not what runs hooks [H4]', async () => {
  place.put('bin/bash', '#!/bin/sh\ntouch evil\n');
  const environment = { ...process.env, PATH: `${place.workspace}/bin:${process.env['PATH']}` };
  const { verdict } = await place.before([{ command: saying({ decision: 'ask', reason: 'sure?' }) }], {
    environment,
  });
  expect(verdict).toEqual({ type: 'ask', reason: 'sure?' });
  expect(place.has('evil')).toBe(false);
});

describe('what cannot be started fails closed [H3]', () => {
  test('because the directory was deleted', async () => {
    const report = await place.before([{ command: 'true' }], { workspace: '/nowhere/at-all' });
    expect(report.verdict).toMatchObject({
      type: 'deny',
      reason: expect.stringContaining('/nowhere/at-all does not exist'),
    });
  });

  test('because there is no such program', async () => {
    const report = await place.before([{ command: 'no-such-program-anywhere' }]);
    expect(failureIn(report)).toMatchObject({ how: 'exited', code: 127 });
    expect(report.verdict.type).toBe('deny');
  });

  test('because the environment is too large', async () => {
    const report = await place.before([{ command: 'true', env: { BIG: 'x'.repeat(200_000) } }]);
    expect(failureIn(report)).toMatchObject({
      how: 'not_started',
      message: expect.stringContaining('E2BIG'),
    });
  });
});
