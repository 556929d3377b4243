import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { call, inTui, KEYS, say, text } from './tui.js';

const WRITE = [[call('write_file', { file_path: 'made.txt', content: 'by a key' })], [text('Well.')]];

test.for([
  { CI: '' },
  { CONTINUOUS_INTEGRATION: 'true' },
  { CONTINUOUS_INTEGRATION: '' },
  { CI: '', CONTINUOUS_INTEGRATION: '1' },
  { CI: 'false', CONTINUOUS_INTEGRATION: 'yes' },
  { NO_COLOR: '1', CI: '' },
])('a question is drawn in a terminal, whatever %j says [U1] [U2] [A7]', async (env, { place }) => {
  await inTui(
    place,
    WRITE,
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      expect(tui.screen()).toContain('by a key');
      expect(place.has('made.txt')).toBe(false);
      await tui.answer('1');
      await tui.shows('Well.');
      expect(place.read('made.txt')).toBe('by a key');
    },
    { env },
  );
});

test.for([{ CI: 'true' }, { INK_SCREEN_READER: 'true' }, { COUNTERSIGN_SCREEN_READER: '1' }])(
  'a question is printed as plain lines where %j asks for these [U1] [A7]',
  async (env, { place }) => {
    await inTui(
      place,
      WRITE,
      async (tui) => {
        tui.type('go\r');
        await tui.shows('[y]');
        expect(tui.everything()).toContain('by a key');
        tui.type('n\r');
        await tui.shows('Well.');
        expect(place.has('made.txt')).toBe(false);
      },
      { env },
    );
  },
);

test('what a terminal is too small to show cannot be agreed to, until it is larger [U2] [A7]', async ({
  place,
}) => {
  await inTui(place, WRITE, async (tui) => {
    await say(tui, 'go');
    await tui.shows('Apply this change?');
    for (const [columns, rows] of [
      [80, 5],
      [12, 24],
      [80, 3],
    ] as const) {
      tui.resize(columns, rows);
      await delay(400);
      await tui.answer('1', KEYS.enter);
      await delay(300);
      expect(place.has('made.txt')).toBe(false);
    }
    tui.resize(80, 24);
    await tui.shows('Apply this change?');
    await tui.answer('1');
    await tui.shows('Well.');
    expect(place.read('made.txt')).toBe('by a key');
  });
});
