import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetPassed, keepPassed, recallPassed } from './remembered.js';
import type { Sandbox } from './sandbox.js';

let directory: string;
let program: string;
const file = () => join(directory, 'countersign-sandbox-passed');
const passed = (): Sandbox => ({ available: true, version: '0.11.0', program });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-remembered-'));
  program = join(directory, 'bwrap');
  writeFileSync(program, 'one', { mode: 0o755 });
  keepPassed(passed(), directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('that a bubblewrap passed is known to the next process, and to this user alone [B1]', () => {
  expect(recallPassed(program, directory)).toEqual(passed());
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory).sort()).toEqual(['bwrap', 'countersign-sandbox-passed']);
});

test('another program, or the same path with something else in it, is tried again [B1]', () => {
  const other = join(directory, 'other');
  writeFileSync(other, 'one', { mode: 0o755 });
  expect(recallPassed(other, directory)).toBeNull();
  const { atime, mtime } = statSync(program);
  writeFileSync(program, 'two');
  utimesSync(program, atime, mtime);
  expect(recallPassed(program, directory)).toBeNull();
});

test('what was forgotten, or never kept, is tried again [B1]', () => {
  forgetPassed(directory);
  expect(recallPassed(program, directory)).toBeNull();
  forgetPassed(directory);
  const missing = join(directory, 'missing');
  keepPassed(passed(), missing);
  expect(recallPassed(program, missing)).toBeNull();
});

test.each<[string, (text: string) => void]>([
  ['that others may write', () => chmodSync(file(), 0o620)],
  ['that others may read', () => chmodSync(file(), 0o604)],
  ['with another version in it', (text) => write(text.replace('0.11.0', 'one; rm -r ~'))],
  ['with more in it than belongs there', (text) => write(`${text}unavailable\n`)],
  ['that is endless', (text) => write(text + '\n'.repeat(2_000))],
  ['that is empty', () => write('')],
  ['made for other circumstances', (text) => write(text.replace(/^../, 'zz'))],
  [
    'that is a symlink',
    (text) => {
      const elsewhere = join(directory, 'elsewhere');
      writeFileSync(elsewhere, text, { mode: 0o600 });
      rmSync(file());
      symlinkSync(elsewhere, file());
    },
  ],
])('a file %s counts for nothing [B1]', (_, tamper) => {
  tamper(readFileSync(file(), 'utf8'));
  expect(recallPassed(program, directory)).toBeNull();
});

const write = (text: string) => writeFileSync(file(), text);
