import { execFileSync } from 'node:child_process';
import { temporaryWorkspace } from '@countersign/host/testing';
import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { compileGlob } from './glob.js';
import { isIgnored, parseIgnoreFile } from './ignore-rules.js';

describe('a glob', () => {
  test.each<[string, string[], string[]]>([
    ['*.log', ['a.log', '.log'], ['a.logs', 'x/a.log', 'log']],
    ['a?c', ['abc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['a*b*c', ['abc', 'axxbxxc'], ['ab', 'acb']],
    ['**/x/y', ['x/y', 'a/x/y'], ['ax/y', 'x/y/z']],
    ['**/*.ts', ['.ts', 'a.ts', 'a/b.ts', 'a/.ts'], ['a.tsx', 'ts', 'a.ts/b']],
    ['**/*', ['a', 'a/b'], []],
    ['*/x', ['a/x'], ['x', 'a/b/x']],
    ['*x/y', ['x/y', 'ax/y'], ['a/x/y']],
    ['**/x', ['x', 'a/x', 'a/b/x'], ['ax', 'a/bx', 'x/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'a/', 'b/a']],
    ['**', ['a', 'a/b'], []],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
    ['[!a-c]x', ['dx'], ['ax', '/x']],
    ['[]a]', [']', 'a'], ['b']],
    ['[a-]', ['a', '-'], ['b']],
    ['[abc', ['[abc'], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['a.b', ['a.b'], ['axb']],
    ['', [''], ['a']],
  ])('%s', (pattern, matching, others) => {
    const glob = compileGlob(pattern);
    for (const text of matching) expect([text, glob.matches(text)]).toEqual([text, true]);
    for (const text of others) expect([text, glob.matches(text)]).toEqual([text, false]);
  });

  test('never takes long, whatever it is', () => {
    const elapsedMs = stopwatch();
    expect(compileGlob(`${'*a'.repeat(100)}b`).matches('a'.repeat(255))).toBe(false);
    expect(compileGlob('**/'.repeat(50_000)).matches('a/'.repeat(100))).toBe(true);
    expect(elapsedMs()).toBeLessThan(1_000);
  });
});

test('ignore files mean what they mean to Git [T3]', () => {
  const rules = [
    '# comment',
    '*.log',
    '!keep.log',
    '/rooted',
    'build/',
    'sub/inner.txt',
    '**/deep',
    'a/**',
    'trailing   ',
    'kept\\ ',
    '\\#hash',
    '\\!bang',
    '[Bb]in',
    'crlf\r',
    '',
  ];
  const paths = [
    ...[
      'x.log',
      'keep.log',
      'rooted',
      'build/f',
      'inner.txt',
      'deep',
      'trailing',
      'kept ',
      'kept',
      '#hash',
      '!bang',
    ],
    ...['bin', 'Bin', 'BIN', 'crlf', 'plain'],
  ];
  const place = temporaryWorkspace();
  try {
    for (const path of paths) place.put(path, '');
    place.put('.gitignore', rules.join('\n'));
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    const names = paths.map((path) => path.split('/')[0] ?? '');
    const files = [{ rules: parseIgnoreFile(rules.join('\n')), below: '' }];
    const ours = names.filter((name) => isIgnored(files, name, name === 'build' ? 'directory' : 'other'));
    expect(ours).toEqual(ignoredByGit(place.workspace, names));
    expect(ours).toContain('x.log');
    expect(ours).not.toContain('plain');
  } finally {
    place.remove();
  }
});

function ignoredByGit(directory: string, names: readonly string[]): string[] {
  const input = names.join('\0');
  const output = execFileSync('git', ['check-ignore', '-z', '--stdin'], {
    cwd: directory,
    input,
    encoding: 'utf8',
  });
  return output.split('\0').filter((name) => name !== '');
}
