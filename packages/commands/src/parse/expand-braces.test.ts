import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expandBraces } from './expand-braces.js';

const inBash = (word: string): readonly string[] =>
  execFileSync('bash', ['-c', `printf '%s\\n' ${word}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

test.each([
  ...['{a,b}', 'x{a,b}y', '{a,b}{c,d}', '{a,{b,c},d}', '{,x}', 'x{,}y', '{1..3}', '{3..1}'],
  ...['{a{b,c}', '{a,b{c,d}', '{{a,b}', '{a,b}}', '{}', 'a{}b', '{a..3}', '{1...3}', '{-a,b}', 'HEAD@{1}'],
])('%s becomes what bash makes of it [P4]', (word) => {
  expect(expandBraces(word)).toEqual(inBash(word));
});

test.each([
  ...[
    '{a,$x}',
    "{a,'b'}",
    '{a,[bc]}',
    '{a,~}',
    '{a\\,b}',
    '{a..c}',
    '{01..03}',
    '{1..9..2}',
    '{-1..1}',
    '{a}b,c}',
  ],
  ...['{1..100}', '{1..9}{1..9}', '{1..3}{a,b}'],
])('%s is not known', (word) => {
  expect(expandBraces(word)).toBeNull();
});
