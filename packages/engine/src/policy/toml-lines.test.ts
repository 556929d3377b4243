import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tomlLines } from './toml-lines.js';

/** Every sample must be real TOML: the scanner is only asked about text the parser accepted. */
function linesOf(text: string) {
  parse(text);
  return tomlLines(text);
}
const rule = (text: string, index: number) => linesOf(text).arrays.get('rule')?.[index];

test('the header and the keys of each table are found', () => {
  const text =
    '# a comment\n[[rule]]\ntoolName = "a"\npriority = 1\n\n[[ rule ]] # again\n  decision = "deny"\n';
  expect(rule(text, 0)?.header).toBe(2);
  expect(rule(text, 0)?.keys.get('priority')).toBe(4);
  expect(rule(text, 1)?.header).toBe(6);
  expect(rule(text, 1)?.keys.get('decision')).toBe(7);
  expect(rule(text, 2)).toBeUndefined();
});

test('what stands inside strings and comments is no key and no header', () => {
  const text = [
    '[[rule]]',
    'denyMessage = """',
    '[[rule]]',
    'priority = 7',
    'a quote \\""" stays inside',
    '"""',
    "argsPattern = '''",
    '[[rule]] \\',
    "'''",
    '# [[rule]]',
    'name = "x # [[rule]]"  # priority = 3',
    "subagent = 'it is \\'",
    'priority = 1',
    '[[rule]]',
    'priority = 2',
  ].join('\n');
  expect(linesOf(text).arrays.get('rule')).toHaveLength(2);
  expect(rule(text, 0)?.keys.get('priority')).toBe(13);
  expect(rule(text, 1)?.header).toBe(14);
});

test('a multi-line string may end in quotes of its own', () => {
  const text = '[[rule]]\ndenyMessage = """say "no"""""\ntoolName = ["""a"""", "b"]\npriority = 1';
  expect(rule(text, 0)?.keys.get('priority')).toBe(4);
});

test('lists and inline tables over several lines are one value', () => {
  const text = [
    '[[rule]]',
    'toolName = [',
    '  "a", # ] not yet',
    '  "]",',
    ']',
    'matches = [{ priority = 1 }, {',
    '  decision = "x" }]',
    'decision = "deny"',
  ].join('\n');
  expect([...(rule(text, 0)?.keys ?? [])]).toEqual([
    ['toolName', 2],
    ['matches', 6],
    ['decision', 8],
  ]);
});

test('inner tables count as a key of their rule, and their keys as no one’s', () => {
  const text = [
    '[[rule]]',
    'toolAnnotations.readOnlyHint = true',
    '[rule.safety_checker]',
    'priority = 5',
    '[[rule.matches]]',
    'decision = "x"',
    '[[rule]]',
    'decision = "deny"',
  ].join('\n');
  expect([...(rule(text, 0)?.keys ?? [])]).toEqual([
    ['toolAnnotations', 2],
    ['safety_checker', 3],
    ['matches', 5],
  ]);
  expect(rule(text, 1)?.keys.get('decision')).toBe(8);
});

test('quoted names, carriage returns and top-level names are understood', () => {
  const text =
    'version = 1\r\n[["rule"]]\r\n"toolName" = "a"\r\n[other]\r\nx = 1\r\n[[safety_checker]]\r\ny = 2\r\n';
  expect(rule(text, 0)).toEqual({ header: 2, keys: new Map([['toolName', 3]]) });
  expect([...linesOf(text).top]).toEqual([
    ['version', 1],
    ['rule', 2],
    ['other', 4],
    ['safety_checker', 6],
  ]);
});

test('an empty file has no lines', () => {
  expect(tomlLines('')).toEqual({ arrays: new Map(), top: new Map() });
});
