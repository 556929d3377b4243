import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandFiles, commandFiles, pidFileOf, readAnnouncement, readExit } from './command-files.js';

let files: CommandFiles;
beforeEach(() => {
  files = commandFiles(mkdtempSync(join(tmpdir(), 'countersign-files-')));
});
afterEach(() => rmSync(files.directory, { recursive: true }));

test.each([
  ['', null],
  ['exit 1', null],
  ['Killed\n', null],
  ['exit 0\n', { code: 0, signal: null }],
  ['exit 137\n', { code: 137, signal: null }],
  ['Killed\nexit 137\n', { code: 137, signal: 'SIGKILL' }],
  ['sh: 5: a word of the shell\nexit 2\n', { code: 2, signal: null }],
  [`${'forged\n'.repeat(100_000)}exit 0\nexit 3\n`, { code: 3, signal: null }],
])('%.30j tells how a command ended: only a whole last line counts [X4, X5]', (text, exit) => {
  writeFileSync(files.exit, text);
  expect(readExit(files)).toEqual(exit);
});

test('without a file nothing has ended [X5]', () => {
  expect(readExit(files)).toBeNull();
});

test.each([
  ['', { type: 'unfinished' }],
  ['47', { type: 'unfinished' }],
  ['4711 some-boot', { type: 'unfinished' }],
  ['4711 some-boot\n', { type: 'process', pid: 4_711, boot: 'some-boot' }],
  ['4711 \n', { type: 'process', pid: 4_711, boot: '' }],
  ['called off\n', { type: 'called off' }],
])('%j announces what it says whole [X5]', (text, announced) => {
  const path = pidFileOf(files, 1);
  expect(readAnnouncement(path)).toEqual({ type: 'none' });
  writeFileSync(path, text);
  expect(readAnnouncement(path)).toEqual(announced);
});
