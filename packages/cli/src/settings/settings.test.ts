import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHooks } from '@countersign/hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandFailure } from '../io/failure-text.js';
import { hookNotices } from './hook-problems.js';
import { SETTING_KEYS } from './keys.js';
import { type Flags, Settings } from './settings.js';
import { type Layer, parseSettings, readSettingsFile } from './settings-file.js';

const parse = (text: string, layer: Layer = 'user') =>
  parseSettings(layer, `${layer}.json`, Buffer.from(text));

/** What is wrong with a file, as a person reads it. */
const problemOf = async (text: string | Uint8Array): Promise<string> => {
  try {
    await parseSettings('user', 'user.json', Buffer.from(text));
  } catch (thrown) {
    if (thrown instanceof CommandFailure) return thrown.message;
    throw thrown;
  }
  return 'nothing';
};

async function settings(
  files: { readonly [L in Layer]?: string },
  more: { env?: NodeJS.ProcessEnv; flags?: Flags; project?: 'trusted' | 'untrusted' } = {},
): Promise<Settings> {
  const { env = {}, flags = {}, project = 'trusted' } = more;
  const given = (['system', 'user', 'project'] as const).filter((layer) => files[layer] !== undefined);
  const read = await Promise.all(given.map((layer) => parse(files[layer] ?? '', layer)));
  return new Settings({ files: read, env, flags, project });
}

describe('a settings file', () => {
  test('is JSON with comments and trailing commas; an empty one sets nothing', async () => {
    const { values, notices } = await parse(
      '\uFEFF// why\n{ "$schema": "x", /* so */ "sandbox": "required", }',
    );
    expect([values, notices]).toEqual([{ sandbox: 'required' }, []]);
    for (const text of ['', '  // nothing yet\n', '{}']) expect((await parse(text)).values).toEqual({});
  });

  test('with an unknown key is reported with its line and the nearest key', async () => {
    const { values, notices } = await parse(
      '{\n  "sandbox": "on",\n  "aproval_mode": "yolo",\n  "qqq": 1\n}',
    );
    expect(values).toEqual({ sandbox: 'on' });
    expect(notices).toEqual([
      {
        file: 'user.json',
        line: 3,
        text: 'The key "aproval_mode" is not known and has no effect. Did you mean "approvalMode"?',
      },
      { file: 'user.json', line: 4, text: 'The key "qqq" is not known and has no effect.' },
    ]);
  });

  test.each([
    ['{\n  "sandbox" "on"\n}', 'user.json:2:13: colon expected'],
    ['{ "sandbox": "on"', 'user.json:1:18: close brace expected'],
    ['{ "sandbox": "on" } x', 'user.json:1:21: '],
    ['[1]', 'user.json:1:1: settings are an object'],
    ['{\n "sandbox": "of" }', 'user.json:2:13: "sandbox" must be one of "off", "on", "required"'],
    ['{ "passEnvironment": ["A", 1] }', '"passEnvironment" must be a list of strings'],
    ['{ "hooks": [] }', '"hooks" must be an object'],
    ['{ "editor": "sh -c evil" }', '"editor" must be one of'],
    [
      '{ "contextFileName": "../../.ssh/id_rsa" }',
      '"contextFileName" must be a file name without directories',
    ],
    ['{ "searxngUrl": "file:///etc/passwd" }', '"searxngUrl" must be a URL that begins with http'],
    // Of two, one would be lost in silence: here a guard.
    [
      '{ "hooks": { "BeforeTool": [],\n "BeforeTool": [] } }',
      'user.json:2:2: the key "BeforeTool" appears here for the second time',
    ],
    ['{ "__proto__": { "hooks": {} } }', 'user.json:1:3: the key "__proto__" cannot be used'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'user.json:1:1: it is not UTF-8'],
    [`{ "hooks": { "a": ${'['.repeat(100_000)}`, 'nested too deeply'],
  ])('that cannot be used is refused, whole, with the place: %#', async (text, expected) => {
    expect(await problemOf(text)).toContain(expected);
  });

  test('what is wrong with its hooks is reported with its line; a hook that would be omitted stops the start', async () => {
    const file = await parse(
      '{ "hooks": { "BeforeTool": [\n { "hooks": [\n { "type": "command", "command": "true", "tiemout": 5 } ] } ] } }',
    );
    const read = await readHooks(file.values, 'user', 'user.json');
    expect(hookNotices(read, file)).toMatchObject([{ line: 3, text: expect.stringContaining('tiemout') }]);

    const broken = await parse('{ "hooks": {\n "BeforeTool": [],\n "BeforTool": [] } }');
    const readBroken = await readHooks(broken.values, 'user', 'user.json');
    expect(() => hookNotices(readBroken, broken)).toThrow(
      'user.json:3:15: hooks.BeforTool: there is no such event',
    );
  });
});

describe('where a settings file should be', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test('there may be none', async () => {
    expect(await readSettingsFile('user', join(directory, 'settings.json'))).toBeNull();
    expect(await readSettingsFile('user', join(directory, 'nowhere/settings.json'))).toBeNull();
  });

  test('a pipe, a directory or a huge file is refused at once instead of being waited for', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    writeFileSync(join(directory, 'huge'), ' '.repeat(1_000_001));
    for (const [name, problem] of [
      ['pipe', 'it is not a regular file'],
      ['.', 'it'],
      ['huge', '1000001 bytes'],
    ] as const)
      await expect(readSettingsFile('project', join(directory, name))).rejects.toThrow(problem);
  });
});

describe('what is in force', () => {
  test('user, project, environment, flags count in that order, and each value has its origin [C5]', async () => {
    const files = {
      system: '{"sandbox":"off"}',
      user: '{"sandbox":"on"}',
      project: '{\n"sandbox":"required"}',
    };
    const sandbox = async (...given: Parameters<typeof settings>) =>
      (await settings(...given)).get('sandbox');
    expect(await sandbox({})).toEqual({ value: 'on', origin: { type: 'default' } });
    expect(await sandbox({ system: files.system })).toMatchObject({
      value: 'off',
      origin: { layer: 'system' },
    });
    expect(await sandbox({ system: files.system, user: files.user })).toMatchObject({
      value: 'on',
      origin: { layer: 'user' },
    });
    expect(await sandbox(files)).toEqual({
      value: 'required',
      origin: { type: 'file', layer: 'project', file: 'project.json', line: 2 },
    });
    const env = { COUNTERSIGN_SANDBOX: 'off' };
    expect(await sandbox(files, { env })).toEqual({
      value: 'off',
      origin: { type: 'environment', name: 'COUNTERSIGN_SANDBOX' },
    });
    expect(await sandbox(files, { env: { COUNTERSIGN_SANDBOX: ' ' } })).toMatchObject({ value: 'required' });
    expect(await sandbox(files, { env, flags: { sandbox: 'on' } })).toEqual({
      value: 'on',
      origin: { type: 'flag' },
    });
  });

  test('a variable is read as what the setting is, and one that cannot be read is refused by its name', async () => {
    const env = { COUNTERSIGN_PASS_ENV: 'AWS_*, NPM_TOKEN', COUNTERSIGN_MODE: 'autoEdit' };
    const read = await settings({}, { env });
    expect(read.get('passEnvironment').value).toEqual(['AWS_*', 'NPM_TOKEN']);
    expect(read.get('approvalMode').value).toBe('auto_edit');
    const wrong = await settings({}, { env: { COUNTERSIGN_SANDBOX: 'requird' } });
    expect(() => wrong.get('sandbox')).toThrow('COUNTERSIGN_SANDBOX is "requird"');
  });

  test('every key has a value of its own where no one sets it', async () => {
    const empty = await settings({});
    for (const key of SETTING_KEYS) expect(empty.get(key).origin).toEqual({ type: 'default' });
  });

  test('what adds up is reported file by file', async () => {
    const read = await settings({ user: '{"mcpServers":{"a":{}}}', project: '{"mcpServers":{"b":{}}}' });
    expect(read.each('mcpServers').map(({ value }) => value)).toEqual([{ a: {} }, { b: {} }]);
  });
});

describe('a project that is not trusted [P8]', () => {
  test.each([
    ['hooks', '{}'],
    ['hooksConfig', '{"enabled":false}'],
    ['mcpServers', '{}'],
    ['sandbox', '"off"'],
    ['sandboxWritable', '["/"]'],
    ['passEnvironment', '["*"]'],
    ['editor', '"vim"'],
    ['approvalMode', '"yolo"'],
    ['searxngUrl', '"http://127.0.0.1/"'],
  ] as const)('does not set %s to %s', async (key, value) => {
    const project = `{"${key}":${value}}`;
    const ignored = await settings({ project }, { project: 'untrusted' });
    expect([ignored.get(key).origin.type, ignored.isIgnored(key)]).toEqual(['default', true]);
    const trusted = await settings({ project }, { project: 'trusted' });
    expect([trusted.get(key).origin.type, trusted.isIgnored(key)]).toEqual(['file', false]);
  });

  test.each([
    ['sandbox', 'on', 'required', 'required'],
    ['sandbox', 'required', 'on', 'required'],
    ['sandbox', 'off', 'on', 'on'],
    ['approvalMode', 'yolo', 'manual', 'manual'],
    ['approvalMode', 'manual', 'plan', 'plan'],
    ['approvalMode', 'manual', 'auto_edit', 'manual'],
    // Neither asks about all that the other asks about or refuses.
    ['approvalMode', 'plan', 'confirm_always', 'plan'],
    ['approvalMode', 'confirm_always', 'plan', 'confirm_always'],
  ] as const)('may only tighten %s: %s, and the project says %s', async (key, user, project, expected) => {
    const files = { user: `{"${key}":"${user}"}`, project: `{"${key}":"${project}"}` };
    expect((await settings(files, { project: 'untrusted' })).get(key).value).toBe(expected);
  });

  test('may set the model and the names of context files', async () => {
    const project = '{"model":"m","contextFileName":["AGENTS.md","NOTES.md"]}';
    const read = await settings({ project }, { project: 'untrusted' });
    expect([read.get('model').value, read.get('contextFileName').value]).toEqual([
      'm',
      ['AGENTS.md', 'NOTES.md'],
    ]);
  });
});
