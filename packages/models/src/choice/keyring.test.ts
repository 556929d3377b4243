import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseModel, type ModelPreferences } from './choose-model.js';

const KEY = 'key-that-nobody-may-see';
const OLLAMA_HOST = '127.0.0.1:9';
const isMac = process.platform === 'darwin';
const PROGRAM = isMac ? 'security' : 'secret-tool';
const NO_ENTRY_CODE = isMac ? 44 : 1;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-keyring-'));
  mkdirSync(join(directory, 'bin'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A real program in the place of the keyring's; it notes its words and its environment. */
const standIn = (script: string, where = 'bin') =>
  writeFileSync(
    join(directory, where, PROGRAM),
    `#!/bin/sh\necho "$*" >>'${directory}/words'\n/usr/bin/env >'${directory}/environment'\n${script}\n`,
    { mode: 0o755 },
  );
const noted = (file: 'words' | 'environment') => readFileSync(join(directory, file), 'utf8').trim();

type Options = Partial<Pick<ModelPreferences, 'flag' | 'environment' | 'purpose'>> & {
  readonly waitMs?: number;
};
const choose = ({ flag = null, environment = {}, purpose = 'to use it', waitMs = 20_000 }: Options = {}) =>
  chooseModel(
    {
      flag,
      settings: {
        model: null,
        keyring: { providers: ['gemini'], directories: [join(directory, 'bin')], waitMs },
      },
      environment: { OLLAMA_HOST, ...environment },
      purpose,
    },
    new AbortController().signal,
  );

test('a key may come from the system’s keyring, so that no environment and no file need hold it [G1]', async () => {
  standIn(`echo ${KEY}`);
  expect(await choose()).toMatchObject({
    ok: true,
    choice: {
      provider: 'gemini',
      credential: { value: KEY, from: "the system's keyring" },
      why: "the system's keyring holds its key",
    },
  });
  expect(noted('words')).toBe(
    isMac ? 'find-generic-password -w -s countersign -a gemini' : 'lookup service countersign account gemini',
  );
});

test('the keyring’s program gets what it needs of the environment, and nothing else [G1] [X2]', async () => {
  standIn(`echo ${KEY}`);
  const needed = {
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
    XDG_RUNTIME_DIR: '/run/user/7',
    HOME: '/home/u',
  };
  await choose({ environment: { ...needed, ANTHROPIC_API_KEY: 'other', LD_PRELOAD: '/x.so', PATH: '/x' } });
  const names = noted('environment')
    .split('\n')
    .map((line) => line.replace(/=.*/s, ''));
  const ofTheShell = ['PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING'];
  expect(names.filter((name) => !ofTheShell.includes(name)).sort()).toEqual(Object.keys(needed).sort());
});

test('the keyring’s program is never found along PATH [G1]', async () => {
  mkdirSync(join(directory, 'elsewhere'));
  standIn(`echo ${KEY}`, 'elsewhere');
  const environment = { PATH: [join(directory, 'elsewhere'), process.env['PATH']].join(delimiter) };
  expect(await choose({ environment })).toMatchObject({
    ok: false,
    failure: { problem: expect.stringContaining(`${PROGRAM} is not installed in ${directory}/bin.`) },
  });
  expect(existsSync(join(directory, 'words'))).toBe(false);
});

test('the keyring is asked once, and only for a model that is to be used [G1]', async () => {
  standIn(`echo ${KEY}`);
  expect(await choose({ purpose: 'to name it' })).toMatchObject({
    ok: true,
    choice: { provider: 'gemini', credential: null },
  });
  await choose({ environment: { GEMINI_API_KEY: 'other' } });
  await choose({ environment: { ANTHROPIC_API_KEY: 'other' }, flag: 'claude-sonnet-5-5' });
  expect(existsSync(join(directory, 'words'))).toBe(false);
  await choose();
  expect(noted('words').split('\n')).toHaveLength(1);
});

const STORE = isMac
  ? 'security add-generic-password -U -s countersign -a gemini -w'
  : "secret-tool store --label='Countersign: gemini' service countersign account gemini";
const BAD: readonly (readonly [string, string, RegExp, string])[] = [
  ['without such an entry', `exit ${NO_ENTRY_CODE}`, /has no key for/, `Run: ${STORE}`],
  [
    'that cannot be reached',
    `echo 'no bus ${KEY}' >&2; exit 3`,
    /cannot be read: \S+ ended with exit code 3/,
    '>/dev/null',
  ],
  ['whose program is killed', 'kill -9 $$', /cannot be read: \S+ ended with SIGKILL/, '>/dev/null'],
  ['with an empty entry', 'echo', /does not hold a key/, STORE],
  ['with an entry of two lines', `echo ${KEY}; echo ${KEY}`, /does not hold a key/, STORE],
  ['with a long entry', `while :; do echo ${KEY}; done`, /too long/, STORE],
  ['with a talkative program', `while :; do echo ${KEY} >&2; done`, /too long/, STORE],
];
test.each(BAD)(
  'a keyring %s is refused, with what to do and without what was printed [G1]',
  async (_, script, problem, fix) => {
    standIn(script);
    const chosen = await choose();
    expect(chosen).toMatchObject({
      ok: false,
      failure: {
        code: 'model_not_configured',
        problem: expect.stringMatching(problem),
        fix: expect.stringContaining(fix),
      },
    });
    expect(JSON.stringify(chosen)).not.toContain(KEY);
  },
);

test('a keyring that stays locked is waited for no longer than its limit, and its program ends [G1]', async () => {
  standIn(`echo $$ >'${directory}/pid'\necho ${KEY}\nexec sleep 600`);
  const chosen = await choose({ waitMs: 500 });
  expect(chosen).toMatchObject({
    ok: false,
    failure: {
      problem: "The system's keyring did not respond within 0.5 s; it may be locked.",
      fix: expect.stringContaining('Unlock it'),
    },
  });
  const pid = Number(readFileSync(join(directory, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
