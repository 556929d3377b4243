import { readFileSync } from 'node:fs';
import { slowdown } from '@countersign/testkit';
import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { call, inTui, KEYS, say, type Tui, text } from './tui.js';

const SECONDS = 4;
const TICKS_PER_SECOND = 100;

/** Processor time that a process took so far, in seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const framesIn = (bytes: string): number => bytes.split('\u001b[?2026h').length - 1;

async function streaming(tui: Tui): Promise<void> {
  await say(tui, 'go');
  await tui.until('the streams', () => /line \d+/.test(tui.screen()), 'moving');
}

test('ten calls that stream a thousand lines a second each cost few frames, few bytes and little of a core [U1]', async ({
  place,
  skip,
}) => {
  skip(process.platform !== 'linux', 'Processor time is read from /proc.');
  const lines = 1_000 * (SECONDS + 3);
  const ten = Array.from({ length: 10 }, (_, index) => call('flood', { name: `n${index}`, lines }));
  await inTui(place, [ten, [text('Over.')]], async (tui) => {
    await streaming(tui);
    const [bytes, cpu, frames] = [tui.bytes.length, cpuSeconds(tui.pid), framesIn(tui.bytes)];
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
    const perSecond = {
      frames: (framesIn(tui.bytes) - frames) / SECONDS,
      bytes: Math.round((tui.bytes.length - bytes) / SECONDS),
      cpu: (cpuSeconds(tui.pid) - cpu) / SECONDS,
    };
    console.log(
      `ten streams: ${perSecond.frames.toFixed(1)} frames/s, ${perSecond.bytes} bytes/s, ${(perSecond.cpu * 100).toFixed(0)} % of a core`,
    );
    expect(perSecond.frames).toBeLessThanOrEqual(15);
    expect(perSecond.bytes).toBeLessThan(60_000);
    expect(perSecond.cpu).toBeLessThanOrEqual(0.3);
    tui.press(KEYS.escape);
    await tui.until('the end', () => tui.everything().includes('Cancelled.'));
  });
}, 60_000);

test('typing stays smooth while fifty thousand lines arrive [U1]', async ({ place }) => {
  await inTui(
    place,
    [[call('flood', { name: 'it', lines: 50_000, perTick: 10 })], [text('Over.')]],
    async (tui) => {
      await streaming(tui);
      const waits: number[] = [];
      for (const letter of 'abcdefghijklmnopqrst') {
        const typed = performance.now();
        tui.press(letter);
        while (
          !tui.screen().includes(`${letter} \n`) &&
          !tui.screen().match(new RegExp(`> [a-t]*${letter} ?$`, 'm'))
        ) {
          if (performance.now() - typed > 2_000)
            throw new Error(`"${letter}" does not appear:\n${tui.screen()}`);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        waits.push(performance.now() - typed);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      const median = waits.sort((a, b) => a - b)[10] ?? 0;
      console.log(
        `from a key to its letter: median ${median.toFixed(0)} ms, longest ${waits.at(-1)?.toFixed(0)} ms`,
      );
      expect(median).toBeLessThan(150 * (await slowdown()));
      tui.press(KEYS.escape);
      await tui.until('the end', () => tui.everything().includes('Cancelled.'));
    },
  );
}, 60_000);
