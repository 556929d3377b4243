import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Keyboard } from './keyboard.js';
import type { Key } from './keys.js';

/** Longer than an Escape that nothing follows is waited for. */
const SLOW_LINE_MS = 80;

function recordingKeyboard() {
  const keys: string[] = [];
  const backgrounds: string[] = [];
  const keyboard = new Keyboard((background) => backgrounds.push(background));
  keyboard.listen((key: Key) => {
    keys.push(key.text || key.name);
    return true;
  }, 'prompt');
  return { keyboard, keys, backgrounds };
}

test.each([5, 12, 20])(
  'an answer of the terminal that is torn after %i characters by a slow line is no text [U3]',
  async (at) => {
    const { keyboard, keys, backgrounds } = recordingKeyboard();
    const answer = '\u001b]11;rgb:ffff/ffff/ffff\u001b\\';
    keyboard.feed(answer.slice(0, at));
    await delay(SLOW_LINE_MS);
    keyboard.feed(`${answer.slice(at)}x`);
    await delay(SLOW_LINE_MS);
    expect(keys).toEqual(['x']);
    expect(backgrounds).toEqual(['light']);
  },
);

test('a lone escape waits for a shorter time than a report of the terminal [U3]', async () => {
  const { keyboard, keys } = recordingKeyboard();
  keyboard.feed('\u001b');
  await delay(SLOW_LINE_MS);
  keyboard.feed('\u001b]');
  await delay(SLOW_LINE_MS);
  expect(keys).toEqual(['escape', ']']);
});
