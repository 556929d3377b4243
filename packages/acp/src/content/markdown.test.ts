import { expect, test } from 'vitest';
import { fenced, quoted } from './markdown.js';

test('a fence is longer than any in its content', () => {
  expect(fenced('a')).toBe('```\na\n```');
  expect(fenced('```\n````x\n', 'console')).toBe('`````console\n```\n````x\n`````');
});

test('a quotation cannot be ended by its content', () => {
  expect([quoted('a'), quoted('a`b'), quoted('`a``')]).toEqual(['`a`', '``a`b``', '``` `a`` ```']);
});
