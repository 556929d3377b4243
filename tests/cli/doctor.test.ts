import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answers, WireServer } from '../../packages/models/src/testing/wire-server.js';
import { type Line, type Place, test } from './program.js';

/** Nothing listens there, so that no Ollama of this machine is found. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' };

async function doctor(place: Place, env: NodeJS.ProcessEnv = {}, ...args: string[]) {
  const ran = await place.run(['doctor', '--json', ...args], { env: { ...NO_OLLAMA, ...env } });
  const find = (type: string, field: string, value: string): readonly Line[] =>
    ran.lines.filter((line) => line['type'] === type && line[field] === value);
  return {
    ...ran,
    check: (name: string) => find('check', 'name', name),
    setting: (key: string) => find('setting', 'key', key)[0],
  };
}

/** The settings of the person, not of the folder. */
function settings(place: Place, text: string): void {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'settings.json'), text);
}

test('every setting is shown with its value and where it comes from [C5]', async ({ place }) => {
  settings(place, '{\n  "editor": "vim",\n  "sandbox": "off",\n  "contextFileName": ["A.md", "B.md"]\n}');
  place.write('.countersign/settings.json', '{ "approvalMode": "plan", "editor": "nano" }');
  const { setting, check, code } = await doctor(place, { COUNTERSIGN_SANDBOX: 'on' });
  expect(setting('editor')).toMatchObject({
    value: 'vim',
    origin: `${join(place.home, 'settings.json')}:2 (user)`,
  });
  expect(setting('sandbox')).toMatchObject({ value: 'on', origin: 'COUNTERSIGN_SANDBOX' });
  expect(setting('contextFileName')).toMatchObject({ value: 'A.md, B.md' });
  expect(setting('approvalMode')).toMatchObject({
    value: 'plan',
    origin: expect.stringContaining('(project)'),
  });
  expect(setting('model')).toMatchObject({ value: '(not set)', origin: 'by default' });
  expect(check('trust')).toMatchObject([{ state: 'note', text: expect.stringContaining('editor') }]);
  expect(code).toBe(0);
});

test('every external part is looked at, and in words it fits 80 columns [C5]', async ({ place }) => {
  const { lines } = await doctor(place);
  const names = new Set(lines.filter(({ type }) => type === 'check').map(({ name }) => name));
  for (const name of [
    'node',
    'bash',
    'sandbox',
    'ripgrep',
    'git',
    'editor',
    'store',
    'model',
    'policy',
    'hooks',
    'trust',
    'MCP',
    'terminal',
  ])
    expect(names).toContain(name);
  expect(place.has('../home/countersign.db'), 'looking makes no store').toBe(false);
  const { stdout, code } = await place.run(['doctor'], { env: NO_OLLAMA });
  expect(code).toBe(0);
  expect(stdout).toContain('Everything required works.');
  expect(stdout).toContain('approvalMode: manual (by default)');
  expect(stdout).toMatch(/^note +model: No model is configured\.\n +Fix: Set GEMINI_API_KEY/m);
  expect(stdout.split('\n').filter((row) => row.length > 80)).toEqual([]);
});

test('a model that can be reached is asked for nothing that costs anything [C5]', async ({ place }) => {
  const server = await WireServer.start(
    answers(200, '{"models":[]}'),
    answers(400, '{}'),
    answers(503, '{}'),
  );
  try {
    const env = { GEMINI_API_KEY: 'sk-very-secret', GOOGLE_GEMINI_BASE_URL: server.url };
    const good = await doctor(place, env);
    expect(good.check('model')).toMatchObject([
      { state: 'ok', text: expect.stringContaining('since GEMINI_API_KEY is set. http') },
    ]);
    expect(server.received).toMatchObject([{ method: 'GET', path: '/v1beta/models?pageSize=1' }]);
    const refused = await doctor(place, env);
    expect(refused.check('model')).toMatchObject([
      { state: 'problem', fix: 'Check the value of GEMINI_API_KEY.' },
    ]);
    expect(refused.code).toBe(1);
    const ailing = await doctor(place, env);
    expect(ailing.check('model')).toMatchObject([{ state: 'note' }]);
    expect(ailing.code).toBe(0);
    for (const { stdout, stderr } of [good, refused, ailing]) expect(stdout + stderr).not.toContain('secret');
  } finally {
    await server.stop();
  }
  const gone = await doctor(place, { OPENAI_BASE_URL: 'http://me:hidden@127.0.0.1:1/v1', OPENAI_MODEL: 'm' });
  expect(gone.check('model')).toMatchObject([
    { state: 'problem', text: expect.stringContaining('127.0.0.1:1/v1') },
  ]);
  expect(gone.code).toBe(1);
  expect(gone.stdout).not.toContain('hidden');
});

test('no secret of a hook, a server or an address is shown [C5]', async ({ place }) => {
  settings(
    place,
    JSON.stringify({
      mcpServers: { notes: { command: 'x', env: { TOKEN: 'hidden-1' } } },
      searxngUrl: 'https://me:hidden-2@search.example/path?key=hidden-3',
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'curl -H "key: hidden-4" x' }] }] },
    }),
  );
  const { setting, check, stdout } = await doctor(place, {
    ANTHROPIC_API_KEY: 'hidden-5',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  });
  expect(setting('mcpServers')).toMatchObject({ value: 'notes' });
  expect(setting('searxngUrl')).toMatchObject({ value: 'https://search.example/path' });
  expect(check('MCP')).toMatchObject([{ state: 'problem', text: expect.stringMatching(/^notes: failed/) }]);
  expect(check('hooks')).toMatchObject([{ state: 'ok', text: '1 is configured.' }]);
  expect(stdout).not.toContain('hidden');
});

test('problems are reported with what to do, and the exit code is 1 [C5]', async ({ place }) => {
  settings(place, '{ "sandbox": "maybe" }');
  const wrongFile = await doctor(place);
  expect(wrongFile.check('settings')).toMatchObject([
    { state: 'problem', text: expect.stringContaining('settings.json') },
  ]);
  expect(wrongFile.check('git')).toMatchObject([{ state: 'ok' }]);
  expect(wrongFile.code).toBe(1);

  settings(place, '{ "sandbx": "on" }');
  const unknownKey = await doctor(place);
  expect(unknownKey.check('settings')).toMatchObject([
    { state: 'note', text: expect.stringContaining('sandbox') },
  ]);
  expect(unknownKey.code).toBe(0);

  const wrongVariable = await doctor(place, { COUNTERSIGN_MODE: 'always' });
  expect(wrongVariable.check('settings')).toContainEqual(
    expect.objectContaining({ state: 'problem', text: expect.stringContaining('COUNTERSIGN_MODE') }),
  );
  expect(wrongVariable.code).toBe(1);

  mkdirSync(join(place.home, 'policies'));
  writeFileSync(join(place.home, 'policies', 'mine.toml'), '[[rule]]\ntoolName = "x"\n');
  const wrongPolicy = await doctor(place);
  expect(wrongPolicy.check('policy')).toMatchObject([
    { state: 'problem', text: expect.stringContaining('mine.toml') },
  ]);
  expect(wrongPolicy.code).toBe(1);
  writeFileSync(join(place.home, 'policies', 'mine.toml'), '');

  writeFileSync(
    join(place.home, 'countersign.db'),
    'no database at all, but long enough to look at'.repeat(9),
  );
  const wrongStore = await doctor(place);
  expect(wrongStore.check('store')).toMatchObject([{ state: 'problem', fix: expect.any(String) }]);
  expect(wrongStore.code).toBe(1);

  const broken = join(place.directory, 'rg');
  writeFileSync(broken, '#!/bin/sh\nexit 1\n');
  chmodSync(broken, 0o755);
  const wrongSearch = await doctor(place, { COUNTERSIGN_RIPGREP: broken });
  expect(wrongSearch.check('ripgrep')).toMatchObject([{ state: 'problem' }]);
});
