import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, type Place, readCall, test } from './program.js';

/** Said of each call that is refused because of such a file. */
const OWN_FILE = "one of Countersign's own files (settings, permissions, records, keys of models)";
const KEY = 'AIza-key-that-nobody-may-see-0123456789';

/** Nothing answers there: which key would go along is all that is looked at. */
const NOBODY = { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9', OLLAMA_HOST: '127.0.0.1:9' };

function keyFile(place: Place, directory: string, mode = 0o600): string {
  const path = join(directory, 'model.txt');
  writeFileSync(path, `${KEY}\n`);
  chmodSync(path, mode);
  return path;
}

test('doctor prints the source of a key, and never the key [G1]', async ({ place }) => {
  const path = keyFile(place, place.directory);
  const { stdout, stderr } = await place.run(['doctor', '--json'], {
    env: { ...NOBODY, GEMINI_API_KEY_FILE: path },
  });
  const checks = stdout.split('\n').filter((line) => line.includes('"key of gemini"'));
  expect(checks.join()).toContain(`Source: GEMINI_API_KEY_FILE, ${path}.`);
  expect(stdout + stderr).not.toContain(KEY);
});

test('doctor names the command for a key file that others may read [G1]', async ({ place }) => {
  const path = keyFile(place, place.directory, 0o644);
  const { stdout, code } = await place.run(['doctor'], { env: { ...NOBODY, GEMINI_API_KEY_FILE: path } });
  expect([code, stdout]).toEqual([expect.any(Number), expect.stringContaining('chmod 600')]);
  expect(code).not.toBe(0);
  expect(stdout).not.toContain(KEY);
});

test('a settings file may name the key file of a provider; that of a project no one trusts may not [P8] [G1]', async ({
  place,
}) => {
  const path = keyFile(place, place.directory);
  const inProject = join(place.workspace, '.countersign');
  mkdirSync(inProject);
  const settings = JSON.stringify({ geminiApiKeyFile: path });
  writeFileSync(join(inProject, 'settings.json'), settings);
  const stranger = await place.run(['doctor', '--json'], { env: NOBODY });
  expect(stranger.stdout).not.toContain('"key of gemini"');
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'settings.json'), settings);
  const own = await place.run(['doctor', '--json'], { env: NOBODY });
  expect(own.stdout).toContain('"key of gemini"');
});

test('a key file in the workspace is protected from tools, and its variable from commands [P8] [X2]', async ({
  place,
}) => {
  const path = keyFile(place, place.workspace);
  const env = { ...NOBODY, GEMINI_API_KEY_FILE: path };
  const command = { name: 'run_shell_command', args: { command: `env; cat ${path}` } };
  const { stdout, stderr } = await place.run(['exec', '--mode', 'manual'], {
    env,
    stdin: asLines(readCall('model.txt'), command),
  });
  expect(stdout + stderr).not.toContain(KEY);
  expect(stdout.split(OWN_FILE)).toHaveLength(3);
  expect(stdout).not.toContain('GEMINI_API_KEY_FILE=');
});

test('tools that look through the workspace do not show a key file in it, in any mode [P8] [X2]', async ({
  place,
}) => {
  const path = keyFile(place, place.workspace);
  place.write('other.txt', `not ${KEY.slice(0, 8)}`);
  const { stdout, stderr } = await place.run(['exec', '--mode', 'yolo'], {
    env: { ...NOBODY, GEMINI_API_KEY_FILE: path },
    stdin: asLines(
      { name: 'grep_search', args: { pattern: KEY.slice(0, 8) } },
      { name: 'grep_search', args: { pattern: KEY.slice(0, 8), names_only: true, include_pattern: '*.txt' } },
      { name: 'read_many_files', args: { include: ['*.txt'] } },
      { name: 'read_many_files', args: { include: ['.'] } },
      { name: 'run_shell_command', args: { command: `grep -r ${KEY.slice(0, 8)} .` } },
    ),
  });
  expect(stdout.match(/other\.txt/g)?.length).toBeGreaterThanOrEqual(5);
  expect(stdout + stderr).not.toContain(KEY);
  expect(stdout + stderr).not.toContain('model.txt');
});

test('policy check and explain judge a key file as sessions do, by any name [P7] [P8]', async ({ place }) => {
  const path = keyFile(place, place.workspace);
  symlinkSync(path, join(place.workspace, 'link.txt'));
  const calls = asLines(
    { tool: 'read_file', args: { file_path: 'model.txt' } },
    { tool: 'read_file', args: { file_path: 'link.txt' } },
    { tool: 'run_shell_command', args: { command: 'cat link.txt' } },
  );
  const judge = async (verb: string, env: NodeJS.ProcessEnv) =>
    (await place.run(['policy', verb, '--json'], { env, stdin: calls })).lines;
  const denied = { decision: 'deny', reasons: [expect.stringContaining(OWN_FILE)] };
  const allowed = { decision: 'allow' };
  expect(await judge('check', {})).toMatchObject([allowed, allowed, allowed]);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify({ geminiApiKeyFile: path }));
  for (const verb of ['check', 'explain'])
    for (const env of [{}, { OPENAI_API_KEY_FILE: path }])
      expect(await judge(verb, env)).toMatchObject([denied, denied, denied]);
});
