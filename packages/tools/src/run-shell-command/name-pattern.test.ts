import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { fits, tokensOf } from './name-pattern.js';

const matches = (pattern: string, name: string) => fits(tokensOf(pattern) ?? [], name);

test.each([
  ['begun-*', 'begun-1'],
  ['a+b(c).{d}|e^f$*', 'a+b(c).{d}|e^f$'],
  ['*', ''],
  ['*.md', 'README.md'],
  ['?[a-c]?', 'xby'],
  ['[!a]*', 'b'],
  ['[[:alpha:]]*', 'x1'],
  ['.E*', '.env'],
  ['*é?', 'caféś'],
  ['?', '😀'],
  ['a[', 'a['],
])('%s fits %s [P5]', (pattern, name) => {
  expect(matches(pattern, name)).toBe(true);
});

test.each([
  ['begun-*', 'begun_1'],
  ['*.md', 'README.mdx'],
  ['[a-c]', 'd'],
  ['a?', 'a'],
  ['[z-a]*', 'z-a'],
  ['', 'a'],
])('%s does not fit %s [P5]', (pattern, name) => {
  expect(matches(pattern, name)).toBe(false);
});

test('a pattern with many stars is compared in time that grows with its length [P5]', () => {
  const elapsedMs = stopwatch();
  expect(matches(`${'*a'.repeat(100)}*b`, 'a'.repeat(255))).toBe(false);
  expect(elapsedMs()).toBeLessThan(500);
});
