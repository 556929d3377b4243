import { expect, test } from 'vitest';
import { KeyDecoder } from './keys.js';
import { bufferOf, EMPTY, edited, insert, movedByLine, type TextBuffer } from './text-buffer.js';

/** A text with `|` where the cursor is. */
const at = (marked: string): TextBuffer => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') });
const marked = ({ text, cursor }: TextBuffer): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const after = (before: string, sent: string): string => {
  let buffer = at(before);
  for (const key of new KeyDecoder().feed(sent)) buffer = edited(buffer, key) ?? buffer;
  return marked(buffer);
};

test.each([
  ['ab|c', 'x', 'abx|c'],
  ['one two|', '\u0017', 'one |'],
  ['one two|', '\u0015', '|'],
  ['a\nb|c\nd', '\u0001', 'a\n|bc\nd'],
  ['a\n|bc\nd', '\u0005', 'a\nbc|\nd'],
  ['a\n|bc\nd', '\u000b', 'a\n|\nd'],
  ['one two|', '\u001bb\u001bb', '|one two'],
  ['|one two', '\u001bf', 'one| two'],
  ['a|', '\u007f', '|'],
  ['|a', '\u007f', '|a'],
  ['|ab', '\u001b[3~', '|b'],
])('%j and the keys %j make %j', (before, sent, expected) => {
  expect(after(before, sent)).toBe(expected);
});

test('a grapheme cluster is deleted and passed as one character', () => {
  for (const one of ['é', '👨‍👩‍👧', '🇩🇪', '漢']) expect(after(`a${one}|b`, '\u007f')).toBe('a|b');
});

test('up and down keep to the column as far as lines are long enough', () => {
  const buffer = at('long line\nab\nanother|');
  const up = movedByLine(buffer, -1) ?? EMPTY;
  expect(marked(up)).toBe('long line\nab|\nanother');
  expect(marked(movedByLine(up, -1) ?? EMPTY)).toBe('lo|ng line\nab\nanother');
  expect(movedByLine(bufferOf('one'), -1)).toBeNull();
  expect(movedByLine(insert(EMPTY, 'one'), 1)).toBeNull();
});
