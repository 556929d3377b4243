import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { slowdown, stopwatch, timed } from './clock.js';

test('a stopwatch counts sleeping, and of work only what the processor spent on it', async () => {
  const sleeping = stopwatch();
  await delay(100);
  expect(sleeping()).toBeGreaterThan(50);
  const working = stopwatch();
  const before = process.cpuUsage();
  for (let usedMs = 0; usedMs < 200; ) {
    const { user, system } = process.cpuUsage(before);
    usedMs = (user + system) / 1_000;
  }
  // Seconds have passed by now on a busy machine.
  expect(working()).toBeLessThan(500);
  expect(working()).toBeGreaterThan(50);
});

test('work is timed by the clock, beside a measure of the machine, and its failure is passed on', async () => {
  const { result, ms, lateMs } = await timed(() => delay(100, 'done'));
  expect(result).toBe('done');
  expect(ms).toBeGreaterThan(90);
  expect(lateMs).toBeGreaterThan(0);
  await expect(timed(() => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
});

test('no machine is quicker than an idle one', async () => {
  expect(await slowdown()).toBeGreaterThanOrEqual(1);
});
