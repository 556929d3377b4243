import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGlob, matchesGlob } from './glob.js';

test('a star stands for any text, a question mark for one character [P2]', () => {
  const matching = [
    ['*', ''],
    ['*', 'read_file'],
    ['read_*', 'read_file'],
    ['read_*', 'read_'],
    ['*_file', 'write_file'],
    ['r*d_f*e', 'read_file'],
    ['read_fil?', 'read_file'],
    ['mcp_*_echo', 'mcp_server_echo'],
    ['**', 'x'],
    ['a*b*c', 'a_b_b_c'],
  ] as const;
  const other = [
    ['read_*', 'read'],
    ['read_*', 'xread_file'],
    ['read_fil?', 'read_fil'],
    ['*_file', 'write_files'],
    ['', 'x'],
    ['a*b*c', 'a_c_b'],
    ['read_file', 'READ_FILE'],
  ] as const;
  for (const [pattern, text] of matching) expect(matchesGlob(pattern, text), `${pattern} ${text}`).toBe(true);
  for (const [pattern, text] of other) expect(matchesGlob(pattern, text), `${pattern} ${text}`).toBe(false);
});

test('characters that mean something in regular expressions stand for themselves', () => {
  expect(matchesGlob('a.b', 'axb')).toBe(false);
  expect(matchesGlob('a.b', 'a.b')).toBe(true);
  expect(matchesGlob('[ab]+', 'a')).toBe(false);
});

test('globs agree with the same glob written as a regular expression', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', '_', '*', '?'), { maxLength: 8 });
  const letters = fc.array(fc.constantFrom('a', 'b', '_'), { maxLength: 10 });
  fc.assert(
    fc.property(pieces, letters, (pattern, text) => {
      const source = pattern.map((piece) => (piece === '*' ? '.*' : piece === '?' ? '.' : piece)).join('');
      expect(matchesGlob(pattern.join(''), text.join(''))).toBe(
        new RegExp(`^${source}$`).test(text.join('')),
      );
    }),
    { numRuns: 500 },
  );
});

test('a glob made to be slow looks at each pair of characters at most once [P3]', () => {
  // Backtracking over thirty stars would not end; the product of the lengths is a blink.
  expect(matchesGlob(`${'a*'.repeat(30)}b`, 'a'.repeat(2000))).toBe(false);
});

test('a name without wildcards is no glob', () => {
  expect(isGlob('read_file')).toBe(false);
  expect(isGlob('read_*')).toBe(true);
  expect(isGlob('read_fil?')).toBe(true);
});
