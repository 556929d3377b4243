import { appendFileSync, closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { readFile } from './read-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject) => carryOut(readFile, args, { workspace: place.workspace });
const read = async (args: JsonObject) => String((await carry(args)).result.llmContent);

/** Writes `block` so many times, and never holds more of it than once. */
function putRepeated(name: string, block: string, times: number): void {
  const descriptor = openSync(place.put(name, ''), 'w');
  for (let count = 0; count < times; count += 1) writeSync(descriptor, block);
  closeSync(descriptor);
}

/** By this process, from whatever file. */
const bytesReadSoFar = (): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

/** By how much the memory of this process grew at most while it worked. */
async function memoryGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 2);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage.rss()) - before;
}
const GROWTH_MAX = 40_000_000; // garbage of the pieces included; the files are more than twice as large

const LINE = `${'é'.repeat(49)}\n`;
const LINES_PER_BLOCK = 1_000;

test('of 100 MB the first lines are read without reading the rest [T5]', async () => {
  putRepeated('big', LINE.repeat(LINES_PER_BLOCK), 10);
  // What follows is a hole, which costs no disk.
  truncateSync(`${place.workspace}/big`, 100_000_000);
  const before = bytesReadSoFar();
  expect(await read({ file_path: 'big', start_line: 1, end_line: 10 })).toBe(LINE.repeat(10));
  expect(bytesReadSoFar() - before).toBeLessThan(1_000_000);
});

test('of 100 MB the last lines are read without holding the rest [T5]', async () => {
  putRepeated('big', LINE.repeat(LINES_PER_BLOCK), 1_000);
  appendFileSync(`${place.workspace}/big`, 'the end\n');
  let text = '';
  const growth = await memoryGrowth(async () => {
    text = await read({ file_path: 'big', start_line: 1_000_000 });
  });
  expect(text).toBe(`${LINE}the end\n`);
  expect(growth).toBeLessThan(GROWTH_MAX);
  expect(await failureOf(carry({ file_path: 'big', start_line: 2_000_000 }))).toEqual({
    code: 'execution_failed',
    message: 'big has 1000001 lines; start_line 2000000 is beyond its end.',
  });
});

test('a file too large to count is still read from its beginning, and on from there [T5]', async () => {
  putRepeated('big', LINE.repeat(LINES_PER_BLOCK), 210);
  expect(await read({ file_path: 'big' })).toMatch(
    /^\[Lines 1-1200 of big\. Continue with start_line 1201\.\]\n/,
  );
  const onward = await read({ file_path: 'big', start_line: 1_201 });
  expect(onward).toMatch(/^\[Lines 1201-2400 of big\. Continue with start_line 2401\.\]\n/);
});

test('a single line of 50 MB is shown by its beginning, without holding it [T5]', async () => {
  putRepeated('line', 'x'.repeat(1_000_000), 50);
  let text = '';
  const growth = await memoryGrowth(async () => {
    text = await read({ file_path: 'line' });
  });
  expect(text).toMatch(/x… \[cut: this line has 50000000 characters\]$/);
  expect(text.length).toBeLessThan(2_300);
  expect(growth).toBeLessThan(GROWTH_MAX);
});

test('a file that grows while it is read is given with what it had, whole lines and whole characters [T3]', async () => {
  place.put('log', LINE.repeat(5_000));
  const path = `${place.workspace}/log`;
  const reading = read({ file_path: 'log', start_line: 4_999 });
  const writing = setInterval(() => appendFileSync(path, LINE), 0);
  const text = await reading;
  clearInterval(writing);
  expect(text).toBe(LINE.repeat(text.length / LINE.length));
  expect(text.length).toBeGreaterThanOrEqual(2 * LINE.length);
});

test('reading stops when the call is cancelled [L5]', async () => {
  putRepeated('big', LINE.repeat(LINES_PER_BLOCK), 100);
  const controller = new AbortController();
  controller.abort();
  const reading = carryOut(
    readFile,
    { file_path: 'big', start_line: 99_999 },
    { workspace: place.workspace, signal: controller.signal },
  );
  await expect(reading).rejects.toThrow(/abort/i);
});
