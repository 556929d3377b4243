import { analyzeCommand, splitRuleText } from '@countersign/commands';
import { decideCommand } from '@countersign/kernel';
import { describe, expect, test } from 'vitest';
import { shortRules } from './corpus/short-rules.js';

const decide = (text: string, ...ranks: string[]) =>
  decideCommand(analyzeCommand(text), () => ranks.map(shortRules), 'ask_user');

describe('ranks', () => {
  test('a stronger rule is evaluated first, whatever its decision [P2]', () => {
    expect(decide('rm x', '+rm', '-rm').decision).toBe('allow');
    expect(decide('rm x', '-rm', '+rm').decision).toBe('deny');
  });

  test('over the commands of a line the strictest verdict counts [P2]', () => {
    expect(decide('rm x; ls', '+rm', '-ls').decision).toBe('deny');
  });

  test('a stronger rule that might forbid what is not known is not passed by a weaker one that allows [P4]', () => {
    expect(decide('$X y', '-rm', '+').decision).toBe('ask_user');
    expect(decide('$X y', '+', '-rm').decision).toBe('allow');
  });

  test('of rules that allow, the one that covers most is reported [P4]', () => {
    expect(decide('sed -i p f', '+sed | +sed -i').decision).toBe('allow');
  });

  test('the fallback may be to deny or to allow, but never allows what cannot be known [P4]', () => {
    const opaque = analyzeCommand('$X');
    expect(decideCommand(opaque, () => [], 'allow').decision).toBe('ask_user');
    expect(decideCommand(opaque, () => [], 'deny').decision).toBe('deny');
    expect(decideCommand(analyzeCommand('true'), () => [], 'deny').decision).toBe('allow');
  });
});

describe('what a verdict says', () => {
  test('it names the rule, the command and its place [P1]', () => {
    const text = 'ls && timeout 5 rm -rf x';
    const { rule, unit } = decide(text, '+ls | -rm');
    expect(rule?.condition).toEqual({ type: 'prefix', words: [['rm']] });
    expect(unit?.via).toEqual(['timeout']);
    expect(text.slice(unit?.span.start, unit?.span.end)).toBe('rm -rf x');
  });

  test('it reports why a rule did not allow [P1]', () => {
    expect(decide('FOO=1 git diff --output=x > y', '+git').reasons).toEqual([
      'writes a file',
      'writes to y',
      'sets FOO for the program',
    ]);
  });
});

test.each([
  ['git status', ['git', 'status']],
  ["git  'a b'", ['git', 'a b']],
  ['for', ['for']],
  ['a; b', ['a;', 'b']],
  ['sed -i', ['sed', '-i']],
  ['timeout 5 ls', ['timeout', '5', 'ls']],
  ['', []],
])('the rule text %j is the words %j [P2]', (text, words) => {
  expect(splitRuleText(text)).toEqual(words);
});
