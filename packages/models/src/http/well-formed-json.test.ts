import { expect, test } from 'vitest';
import { wellFormedJson } from './well-formed-json.js';

test('half a character is replaced, a whole one stays [G1]', () => {
  const body = { text: `${'👋'.slice(0, 1)} 👋 ${'👋'.slice(1)}`, path: 'C:\\udata', list: [{ ok: true }] };
  expect(wellFormedJson(body)).toBe('{"text":"\ufffd 👋 \ufffd","path":"C:\\\\udata","list":[{"ok":true}]}');
});
