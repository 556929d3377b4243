import { expect } from 'vitest';
import { hooksFor, userSettings } from '../cli/hook-settings.js';
import { type Place, test } from '../cli/program.js';
import { inTui, say, Tui } from './tui.js';

const appending = (name: string) => `(cat; echo) >> ${name}`;
const linesOf = (place: Place, name: string) =>
  place.has(name)
    ? place
        .read(name)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const sources = (place: Place) => linesOf(place, 'starts.jsonl').map(({ source }) => source);
const reasons = (place: Place) => linesOf(place, 'ends.jsonl').map(({ reason }) => reason);

const withHooks = (place: Place) =>
  userSettings(
    place,
    hooksFor({
      SessionStart: [{ command: `${appending('starts.jsonl')}; echo "Welcome back."` }],
      SessionEnd: [{ command: appending('ends.jsonl') }],
    }),
  );

test('hooks of a session run at its start without a prompt, and /clear is their reason [H1] [U3]', async ({
  place,
}) => {
  withHooks(place);
  await inTui(place, [], async (tui) => {
    await tui.until('the start', () => sources(place).length === 1);
    await tui.shows('Welcome back.');
    const [, first = ''] = /Countersign \S+ · (\S+) ·/.exec(tui.everything()) ?? [];
    await say(tui, '/clear');
    await tui.until('the second start', () => sources(place).length === 2);
    expect(reasons(place)).toEqual(['clear']);
    await say(tui, `/resume ${first}`);
    await tui.until('the third start', () => sources(place).length === 3);
    expect(reasons(place)).toEqual(['clear', 'other']);
    await say(tui, '/quit');
    await tui.ended();
  });
  expect(sources(place)).toEqual(['startup', 'clear', 'resume']);
  expect(reasons(place)).toEqual(['clear', 'other', 'exit']);
});

test('hooks of a session run where no model is configured [H1]', async ({ place }) => {
  withHooks(place);
  const tui = new Tui(place, []);
  try {
    await tui.until('the start', () => sources(place).length === 1);
    await tui.shows('(shift-tab)');
    await say(tui, '/quit');
    await tui.ended();
  } finally {
    await tui.close();
  }
  expect(reasons(place)).toEqual(['exit']);
});
