import { expect, test } from 'vitest';
import { KeyDecoder } from './keys.js';

const inWords = (decoder: KeyDecoder, sent: string): readonly string[] =>
  decoder
    .feed(sent)
    .map(({ name, text, ctrl, alt, shift }) =>
      [
        ctrl && 'ctrl',
        alt && 'alt',
        shift && 'shift',
        text === '' ? name : name === 'paste' ? `paste:${text}` : text,
      ]
        .filter(Boolean)
        .join('-'),
    );

test.each([
  ['abc', ['abc']],
  ['a\rb', ['a', 'enter', 'b']],
  ['\n', ['ctrl-j']],
  ['\u0003\u0004\u000f', ['ctrl-c', 'ctrl-d', 'ctrl-o']],
  ['\u001b[A\u001bOB\u001b[1;5C\u001b[1;3D', ['up', 'down', 'ctrl-right', 'alt-left']],
  ['\u001b[H\u001b[4~\u001b[5~\u001b[6~\u001b[3~', ['home', 'end', 'pageup', 'pagedown', 'delete']],
  ['\u001b[Z\t', ['shift-tab', 'tab']],
  ['\u001b\r\u001b[13;2u\u001b[27;2;13~', ['alt-enter', 'shift-enter', 'shift-enter']],
  ['\u001b[27u\u001b[99;5u\u001b[127u', ['escape', 'ctrl-c', 'backspace']],
  ['\u001bb\u001bf', ['alt-b', 'alt-f']],
  ['\u001b[I\u001b[O', ['focus', 'blur']],
  ['\u001b\u001b[A', ['escape', 'up']],
  ['é漢🎉', ['é漢🎉']],
  // Reports of the terminal are no keys.
  ['\u001b[?62;4c\u001b]10;rgb:00/00/00\u0007x', ['x']],
  // But for what lies behind the text.
  ['\u001b]11;rgb:1e/1e/1e\u0007x', ['dark', 'x']],
  ['\u001b]11;rgb:fdfd/f6f6/e3e3\u001b\\x', ['light', 'x']],
  ['\u001b]11;rgb:nonsense\u0007x', ['x']],
])('%j is read as %j', (sent, keys) => {
  expect(inWords(new KeyDecoder(), sent)).toEqual(keys);
});

test('a sequence that arrives in pieces is one key, wherever it is split', () => {
  for (const sequence of ['\u001b[1;5C', '\u001b[200~one\r\ntwo\u001b[201~', '\u001bOA']) {
    const whole = inWords(new KeyDecoder(), sequence);
    for (let at = 1; at < sequence.length; at++) {
      const decoder = new KeyDecoder();
      const keys = [...inWords(decoder, sequence.slice(0, at)), ...inWords(decoder, sequence.slice(at))];
      expect(keys).toEqual(whole);
    }
  }
});

test('a lone escape is the escape key', () => {
  const decoder = new KeyDecoder();
  expect(decoder.feed('\u001b')).toEqual([]);
  expect(decoder.isWaiting).toBe(true);
  expect(decoder.flush().map(({ name }) => name)).toEqual(['escape']);
  expect(decoder.isWaiting).toBe(false);
});

test('a paste is text, whatever is in it', () => {
  expect(inWords(new KeyDecoder(), '\u001b[200~rm -rf\r\u001b[A\u0003\u001b[201~x')).toEqual([
    'paste:rm -rf\n\u001b[A\u0003',
    'x',
  ]);
});
