import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awkProgramEscape } from './awk-program.js';
import { sedScriptEscape } from './sed-script.js';

// Programs put together from pieces are given to the real sed and awk: one that leaves a file behind must have been distinguished.
const PROGRAMS = 250;

const SED_PIECES = [
  ...[
    's/a/b/',
    's,a,b,',
    's/[/]/x/',
    's/[^/]*$//',
    'w M',
    '1w M',
    '/a/w M',
    's/a/b/w M',
    's|x|[|',
    'y/ab/cd/',
    'p',
    'd',
    '{',
    '}',
  ],
  ...[
    ';',
    '\n',
    '1,2',
    '$!',
    '/x/',
    '\\,x,',
    '[',
    ']',
    '/',
    'a foo',
    'i\\\n',
    '1e touch M',
    's/a/touch M/e',
    '#',
    'b',
    ':x',
    ':x ',
    'tx ',
    'T ',
    'b x',
    'e touch M',
    'q',
  ],
  ...[
    ' ',
    'r f',
    'w',
    '!',
    '0~2',
    '\\',
    's/\\[/',
    '/[',
    'x/',
    '&',
    'M',
    'W M',
    's/[]/]/x/',
    's/[[:alpha:]/]/y/gw M',
    'e',
  ],
];
const AWK_PIECES = [
  ...[
    '{',
    '}',
    'print',
    '$1',
    '"x"',
    '>',
    '"M"',
    '|',
    '"touch M"',
    'system("touch M")',
    '/a/',
    '/',
    '[',
    '/[/]/',
    '(',
    ')',
    ';',
    '\n',
  ],
  ...[
    ',',
    'x',
    '1',
    '+',
    'getline',
    '<',
    'if',
    '(1)',
    '~',
    '!',
    '&&',
    '||',
    'BEGIN',
    'END',
    '>>',
    '#',
    '"',
    '\\"',
    '"\\""',
    'length',
  ],
  ...[
    'NR',
    'a[1]',
    '++',
    '$',
    '?',
    ':',
    'print $1 > "M"',
    'print | "touch M"',
    '"touch M" | getline',
    '/"/',
    '/x|y/',
    '-',
    '%',
  ],
];

let folder = '';
let input = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-against-tools-'));
  input = `${folder}.input`;
  writeFileSync(input, 'a/b\n[x]\nw M\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(input, { force: true });
});

describe.each([
  ['sed', SED_PIECES, sedScriptEscape],
  ['awk', AWK_PIECES, awkProgramEscape],
] as const)('%s', (program, pieces, escapeOf) => {
  test('what leaves a file behind was distinguished [P4]', () => {
    const random = numbersFrom(20_240_607);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const missed: string[] = [];
    let harmful = 0;
    let harmless = 0;
    for (let left = PROGRAMS; left > 0; left -= 1) {
      const joined = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(pieces)).join(
        pick(['', ';', '\n']),
      );
      const text = program === 'awk' && random() < 0.7 ? `{${joined}}` : joined;
      spawnSync(program, [text, input], {
        cwd: folder,
        input: '',
        timeout: 2_000,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const made = readdirSync(folder);
      for (const name of made) rmSync(join(folder, name));
      const why = escapeOf(text);
      if (made.length > 0) {
        harmful += 1;
        if (why === null) missed.push(text);
      }
      if (why === null) harmless += 1;
    }
    expect(missed).toEqual([]);
    // Otherwise nothing was tried, or everything refused.
    expect(harmful).toBeGreaterThan(3);
    expect(harmless).toBeGreaterThan(10);
  });
});

test.each([
  's/a/b/',
  'p',
  '$!N;P;D',
  '/a/,/b/{s/x/y/;p}',
  ':a;N;$!ba;s/\n/ /g',
  '1i\\\nhello',
  'y/ab/cd/',
  '/[^/]$/d',
])('the sed script %j only prints [P4]', (script) => {
  expect(sedScriptEscape(script)).toBeNull();
});

/** The same numbers every time (xorshift). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
