import { execFileSync } from 'node:child_process';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';
import { glob } from './glob.js';

const NAMES = ['a', 'b', 'lib', 'x.ts', 'y.log', '.dot', 'build'];
const LINES = [
  ...[
    '*.log',
    '!y.log',
    'build/',
    '/a',
    '!/a',
    'lib/*.ts',
    '**/b/x.ts',
    'a/**',
    '!a/lib',
    '[xy].*',
    '.dot',
    '!.dot',
  ],
  ...['lib', '!lib/', '/b/', 'b/**/y.log', '*', '!*/', '!x.ts', '# note', ''],
];

let place: TemporaryWorkspace;
let restoreChoice: (() => void) | null = null;
afterEach(() => {
  restoreChoice?.();
  place.remove();
});

describe('trees made at random look the same to Git, with ripgrep and without [T3]', () => {
  test.each(Array.from({ length: 15 }, (_, seed) => seed + 1))('seed %i', async (seed) => {
    place = temporaryWorkspace();
    const pick = picking(seed);
    for (let file = 0; file < 40; file += 1) {
      const path = Array.from({ length: 1 + pick(4) }, () => NAMES[pick(NAMES.length)]).join('/');
      tryPut(path, '');
    }
    for (const directory of ['', 'a/', 'b/', 'lib/', 'a/lib/', 'a/b/'])
      if (pick(2) === 0)
        tryPut(
          `${directory}.gitignore`,
          Array.from({ length: 1 + pick(5) }, () => LINES[pick(LINES.length)]).join('\n'),
        );

    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    const listed = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
      cwd: place.workspace,
      encoding: 'utf8',
    });
    const expected = listed
      .split('\0')
      .filter((path) => path !== '')
      .sort();
    for (const choice of RIPGREP_CHOICES) {
      restoreChoice?.();
      restoreChoice = chooseRipgrep(choice);
      for (const dir_path of ['.', 'a', 'a/b']) {
        // What a directory's own ignore rules say of it does not count for who looks right there.
        const isIgnored = dir_path !== '.' && !expected.some((path) => path.startsWith(`${dir_path}/`));
        if (isIgnored) continue;
        const within = expected.filter((path) => dir_path === '.' || path.startsWith(`${dir_path}/`));
        expect([choice, dir_path, await filesIn(dir_path)]).toEqual([choice, dir_path, within]);
      }
    }
  });
});

async function filesIn(dir_path: string): Promise<string[]> {
  const { result } = await carryOut(glob, { pattern: '**', dir_path }, { workspace: place.workspace });
  return String(result.llmContent).split('\n').slice(1).sort();
}

/** A name that is a file already cannot be a directory too. */
function tryPut(path: string, content: string): void {
  try {
    place.put(path, content);
  } catch (error) {
    if (!(error instanceof Error && /ENOTDIR|EISDIR|EEXIST/.test(error.message))) throw error;
  }
}

/** Numbers below `limit` that follow from the seed (Park and Miller's). */
function picking(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
