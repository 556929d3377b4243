import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { codeRanges, isWithin } from './code-ranges.js';

/** The characters `@` of a text that stand in code, as `#`, and the others as they are. */
function marked(text: string): string {
  const ranges = codeRanges(text);
  return text.replaceAll('@', (_, offset: number) => (isWithin(offset, ranges) ? '#' : '@'));
}

describe('what is code', () => {
  test.each([
    ['fences', '@\n```md\n@\n```\n@\n', '@\n```md\n#\n```\n@\n'],
    ['fences of another kind, longer, unclosed', '~~~~\n@\n~~~\n```\n@', '~~~~\n#\n~~~\n```\n#'],
    [
      'fences in lists and quotes',
      '- a\n  ```\n  @\n  ```\n> ~~~\n> @\n> ~~~\n@',
      '- a\n  ```\n  #\n  ```\n> ~~~\n> #\n> ~~~\n@',
    ],
    ['lines indented after a blank one', 'a\n\n    @\n\n\t@\nb @', 'a\n\n    #\n\n\t#\nb @'],
    ['spans, also over a line break', 'a `@` b ``@ ` @`` `x\n@` @', 'a `#` b ``# ` #`` `x\n#` @'],
    ['a span of three, which is no fence', '``` @ ``` @', '``` # ``` @'],
    ['a span that a backslash does not keep open', '`@\\` @', '`#\\` @'],
  ])('%s', (_, text, expected) => {
    expect(marked(text)).toBe(expected);
  });
});

describe('what is not', () => {
  test.each([
    ['a backquote alone', 'a ` @ b'],
    ['backquotes of two paragraphs', 'a ` b\n\n@ ` c'],
    ['backquotes that do not match', '`` @ `'],
    ['one behind a backslash', '\\`@`'],
    ['an indented line that goes on with a sentence', 'a\n    @'],
    ['an indented line in a list', '- a\n\n    - @\n\n      @'],
  ])('%s', (_, text) => {
    expect(marked(text)).toBe(text);
  });
});

test('rows of backquotes of ever other lengths are no burden', () => {
  const text = Array.from({ length: 400 }, (_, length) => '`'.repeat(length + 1)).join(' x ');
  const elapsedMs = stopwatch();
  expect(codeRanges(text)).toEqual([]);
  expect(elapsedMs()).toBeLessThan(1_000);
});
