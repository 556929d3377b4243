import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBubblewrap } from '@countersign/sandbox';
import { expect, type TestContext } from 'vitest';
import { call, FakeModel, prompt, says, text } from './headless-model.js';
import { type Place, PROGRAM, type Ran, Running, test } from './program.js';

const KEY = 'AIza-key-that-nobody-may-see-0123456789';
const SYSTEM_DIRECTORY = '/usr/local/bin';
const KEYRING = { COUNTERSIGN_KEYRING: 'gemini', OLLAMA_HOST: '127.0.0.1:9', COUNTERSIGN_SANDBOX: 'off' };

/** Where the program itself finds a secret-tool only if the test puts one there. */
function needsOwnSystem(skip: TestContext['skip']): void {
  skip(process.platform !== 'linux', 'There is no bubblewrap on this system.');
  skip(findBubblewrap() === null, 'bubblewrap is not installed.');
  skip(!existsSync(SYSTEM_DIRECTORY), `There is no ${SYSTEM_DIRECTORY}.`);
  skip(existsSync('/usr/bin/secret-tool'), 'secret-tool is installed, and would be asked.');
}

/** The program on a system whose /usr/local/bin holds a secret-tool that runs this script. */
async function runWithKeyring(
  place: Place,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const system = join(place.directory, 'system');
  mkdirSync(system, { recursive: true });
  const noted = `echo "$*" >>'${join(place.directory, 'asked')}'`;
  writeFileSync(join(system, 'secret-tool'), `#!/bin/sh\n${noted}\n${script}\n`, { mode: 0o755 });
  // Node may be in that very directory.
  const node = join(place.directory, 'node');
  writeFileSync(node, '');
  const mounts = ['--dev-bind', '/', '/', '--ro-bind', process.execPath, node];
  const running = new Running(
    spawn(
      findBubblewrap() ?? '',
      [...mounts, '--ro-bind', system, SYSTEM_DIRECTORY, '--', node, PROGRAM, ...args],
      { cwd: place.workspace, env: { ...place.environment, ...KEYRING, ...env } },
    ),
  );
  running.end('');
  return running.ended();
}

const asked = (place: Place): number => {
  const path = join(place.directory, 'asked');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};

test('a model is asked with the key of the keyring; commands, records and messages have nothing of it [G1] [X2]', async ({
  place,
  skip,
}) => {
  needsOwnSystem(skip);
  const model = await FakeModel.start(
    says(call('run_shell_command', { command: 'env' })),
    says(text('Done.')),
  );
  const env = { GOOGLE_GEMINI_BASE_URL: model.server.url };
  const ran = await runWithKeyring(place, `echo ${KEY}`, prompt('go', '--yolo'), env);
  expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(model.server.received.map(({ headers }) => headers['x-goog-api-key'])).toEqual([KEY, KEY]);
  expect(asked(place)).toBe(1);
  expect(JSON.stringify(model.lastParts(1))).toContain('PATH=');
  expect(JSON.stringify(model.lastParts(1))).not.toContain(KEY);
  expect(ran.stderr).not.toContain(KEY);
  const system = join(place.directory, 'system');
  const kept = filesBelow(place.directory).filter((path) => !path.startsWith(system));
  expect(kept.filter((path) => path.endsWith('countersign.db'))).toHaveLength(1);
  expect(kept.filter((path) => readFileSync(path).includes(KEY))).toEqual([]);
});

test('doctor names the system’s keyring as the source of a key, and never prints the key [G1] [C5]', async ({
  place,
  skip,
}) => {
  needsOwnSystem(skip);
  const env = { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' };
  const ran = await runWithKeyring(place, `echo ${KEY}`, ['doctor', '--json'], env);
  expect(ran.lines).toContainEqual(
    expect.objectContaining({
      name: 'key of gemini',
      state: 'ok',
      text: "Source: the system's keyring.",
    }),
  );
  expect(ran.stdout + ran.stderr).not.toContain(KEY);
});

test('a keyring without the key stops a prompt with the command that stores it [G1]', async ({
  place,
  skip,
}) => {
  needsOwnSystem(skip);
  const ran = await runWithKeyring(place, 'exit 1', prompt('go'), {});
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain(
    "Run: secret-tool store --label='Countersign: gemini' service countersign account gemini",
  );
});

test('calls that need no model do not ask the keyring [G1]', async ({ place, skip }) => {
  needsOwnSystem(skip);
  for (const args of [['exec'], ['policy', 'check', 'ls'], ['sessions']])
    await runWithKeyring(place, `echo ${KEY}`, args, {});
  expect(asked(place)).toBe(0);
});

test('a project that is not trusted cannot have the keyring asked [P8] [G1]', async ({ place }) => {
  place.write('.countersign/settings.json', '{ "apiKeysInKeyring": ["gemini"] }');
  const setting = async (env: NodeJS.ProcessEnv) =>
    (await place.run(['doctor', '--json'], { env: { OLLAMA_HOST: '127.0.0.1:9', ...env } })).lines.find(
      ({ key }) => key === 'apiKeysInKeyring',
    );
  expect(await setting({})).toMatchObject({ value: '(none)', origin: 'by default' });
  expect(await setting({ COUNTERSIGN_KEYRING: 'openai,anthropic' })).toMatchObject({
    value: 'openai, anthropic',
    origin: 'COUNTERSIGN_KEYRING',
  });
});

const filesBelow = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
