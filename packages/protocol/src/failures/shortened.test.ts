import { expect, test } from 'vitest';
import { ECHOED_CHARS_MAX, oneLine } from '../json/one-line.js';
import { explain, type Failure, type FailureCode, shortened } from './failure.js';
import { FAILURE_SAMPLES } from './failure-samples.js';

const codes = Object.keys(FAILURE_SAMPLES) as FailureCode[];
const isWord = (name: string): boolean => !['code', 'what', 'searched', 'match', 'needs'].includes(name);

/** The sample with every text in it replaced, as far as its maker could have put anything there. */
function withTexts(value: unknown, text: string, name = ''): unknown {
  if (typeof value === 'string') return isWord(name) ? text : value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, text, key)]));
}
const filled = (code: FailureCode, text: string): Failure =>
  withTexts(FAILURE_SAMPLES[code], text) as Failure;

/** Texts that others wrote to be read; what they may be is the engine's affair. */
const MESSAGE_OF_OTHERS = /^(message|reason|text|excerpt|printed|fix|said|try)$/;
const holdsWords = (value: object): boolean =>
  Object.entries(value).some(
    ([key, each]) =>
      (typeof each === 'string' && MESSAGE_OF_OTHERS.test(key)) ||
      (typeof each === 'object' && each !== null && holdsWords(each)),
  );

test.each(codes.filter((code) => !holdsWords(FAILURE_SAMPLES[code])))(
  'the text of %s stays short whatever was sent [S4]',
  (code) => {
    const { message, hint } = explain(filled(code, 'x'.repeat(1_000_000)));
    expect(`${message} ${hint}`.length).toBeLessThan(5_000);
    expect(message).not.toMatch(/x{1001}/);
  },
);

test.each(codes)('the text of %s has a limit, also where someone else wrote it [S4]', (code) => {
  const { message, hint } = explain(filled(code, 'y'.repeat(3_000_000)));
  expect(`${message} ${hint}`.length).toBeLessThan(1_000_000);
});

test.each(codes)('%s as it is in the documentation is put into words unchanged', (code) => {
  expect(shortened(FAILURE_SAMPLES[code])).toBe(FAILURE_SAMPLES[code]);
});

test('names, ids and paths are repeated as one line with what is hidden made visible [S4]', () => {
  const name = `read\u202e_file\n\u001b[31m${'z'.repeat(500)}end`;
  const { message } = explain({ code: 'tool_not_registered', name, nearest: [] });
  expect(message).toContain('read\\u{202e}_file\\x0a\\x1b[31m');
  expect(message).toContain('zend"');
  expect(message).not.toMatch(/z{200}/);
});

test('a line is cut in the middle, and takes no more room for what is in it [S4]', () => {
  expect(oneLine('short')).toBe('short');
  expect(oneLine('a'.repeat(ECHOED_CHARS_MAX))).toHaveLength(ECHOED_CHARS_MAX);
  for (const text of ['a'.repeat(10_000), '\u0000'.repeat(10_000), '\ud800'.repeat(10_000)])
    expect(oneLine(text).length).toBeLessThanOrEqual(ECHOED_CHARS_MAX);
});
