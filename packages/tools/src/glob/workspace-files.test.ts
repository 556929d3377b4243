import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workspaceFiles } from './workspace-files.js';

let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-files-')));
  for (const directory of ['src', 'build', '.git']) mkdirSync(join(workspace, directory));
  for (const file of ['a.txt', 'src/b.ts', 'build/out.js', '.git/config', 'secret.log', 'notes.md'])
    writeFileSync(join(workspace, file), '');
  writeFileSync(join(workspace, '.gitignore'), 'build/\n');
  writeFileSync(join(workspace, '.countersignignore'), '*.log\n');
  symlinkSync('/etc', join(workspace, 'outside'));
});
afterEach(() => rmSync(workspace, { recursive: true }));

const never = new AbortController().signal;

test.each([
  ['with ripgrep', undefined],
  ['without it', 'none'],
])('%s, what ignore files name, .git, and what links lead to are skipped [T3]', async (_, choice) => {
  if (choice) process.env['COUNTERSIGN_RIPGREP'] = choice;
  try {
    const { files, complete } = await workspaceFiles(workspace, 100, never);
    expect(files.toSorted()).toEqual(['.countersignignore', '.gitignore', 'a.txt', 'notes.md', 'src/b.ts']);
    expect(complete).toBe(true);
  } finally {
    delete process.env['COUNTERSIGN_RIPGREP'];
  }
});

test('of many files the first are given, and that there are more', async () => {
  const { files, complete } = await workspaceFiles(workspace, 2, never);
  expect(files).toHaveLength(2);
  expect(complete).toBe(false);
});

test('what takes too long is given as far as it was found', async () => {
  expect(await workspaceFiles(workspace, 100, AbortSignal.abort())).toEqual({ files: [], complete: false });
});
