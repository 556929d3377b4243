import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseModel } from './choose-model.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
  path = join(directory, 'key');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const KEY = 'key-that-nobody-may-see';
const OLLAMA_HOST = '127.0.0.1:9';
const write = (content: string, mode = 0o600) => {
  writeFileSync(path, content);
  chmodSync(path, mode);
};
const choose = (environment: { readonly [name: string]: string } = {}, flag: string | null = null) =>
  chooseModel(
    {
      flag,
      settings: { model: null, keyFiles: { gemini: path } },
      environment: { OLLAMA_HOST, ...environment },
    },
    new AbortController().signal,
  );

test('a key may come from a file, so that no environment need hold it [G1]', async () => {
  write(`  ${KEY}\n`);
  expect(await choose()).toMatchObject({
    ok: true,
    choice: { provider: 'gemini', credential: { value: KEY, from: 'GEMINI_API_KEY_FILE' } },
  });
});

test('a key in a variable counts more than one in a file [G1]', async () => {
  write(KEY);
  expect(await choose({ GEMINI_API_KEY: 'other' })).toMatchObject({
    ok: true,
    choice: { credential: { value: 'other', from: 'GEMINI_API_KEY' } },
  });
});

test('a link to a key file is followed, and what it leads to is looked at [G1]', async () => {
  writeFileSync(join(directory, 'elsewhere'), KEY, { mode: 0o600 });
  symlinkSync(join(directory, 'elsewhere'), path);
  expect(await choose()).toMatchObject({ ok: true });
  chmodSync(join(directory, 'elsewhere'), 0o640);
  expect(await choose()).toMatchObject({ ok: false });
});

const BAD: readonly (readonly [string, () => void, RegExp])[] = [
  ['that others may read', () => write(KEY, 0o604), /Other users can read/],
  ['that a group may write', () => write(KEY, 0o620), /Other users can read or change/],
  ['that is empty', () => write('\n'), /does not hold a key/],
  ['with two lines', () => write(`${KEY}\n${KEY}`), /does not hold a key/],
  ['with what no header takes', () => write(`${KEY}\u0007`), /does not hold a key/],
  ['that is long', () => write(KEY.repeat(1_000)), /too long/],
  ['that is not there', () => {}, /ENOENT/],
  [
    'that is a directory',
    () => {
      path = directory;
    },
    /not a regular file/,
  ],
];
test.each(BAD)(
  'a key file %s is refused, with what to do and without what is in it [G1]',
  async (_, make, why) => {
    make();
    const chosen = await choose();
    expect(chosen).toMatchObject({
      ok: false,
      failure: { code: 'model_not_configured', problem: expect.stringMatching(why) },
    });
    expect(JSON.stringify(chosen)).not.toContain(KEY);
  },
);

test('a file that others may read is refused with the command that changes it [G1]', async () => {
  write(KEY, 0o644);
  expect(await choose()).toMatchObject({ failure: { fix: `Run: chmod 600 '${path}'` } });
});

test('a bad key file of one provider does not keep another from being asked [G1]', async () => {
  write(KEY, 0o644);
  expect(await choose({ ANTHROPIC_API_KEY: 'a' }, 'claude-sonnet-5-5')).toMatchObject({
    ok: true,
    choice: { provider: 'anthropic' },
  });
});
