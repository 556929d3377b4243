import { describe, expect, test } from 'vitest';
import type { HookSource } from '../hook/hook.js';
import { hooksInForce } from './in-force.js';
import { readHooks } from './read-hooks.js';

const read = (settings: unknown, source: HookSource = 'user') => readHooks(settings, source, 'settings.json');
const hook = (more: object = {}) => ({ type: 'command', command: 'true', ...more });
const withHook = (more: object) => ({ hooks: { BeforeTool: [{ hooks: [hook(more)] }] } });
const withMatcher = (matcher: unknown, event = 'BeforeTool') => ({
  hooks: { [event]: [{ matcher, hooks: [hook()] }] },
});

describe('settings of Gemini CLI are read as they are [H1]', () => {
  test('with every field, and ours beside them', async () => {
    const { hooks, problems } = await read({
      theme: 'dark',
      hooks: {
        BeforeTool: [
          {
            matcher: 'write_file|replace',
            sequential: true,
            hooks: [
              {
                type: 'command',
                command: './scan.sh',
                name: 'scan',
                description: 'Looks for keys',
                timeout: 5000,
                env: { LEVEL: 'high', RETRIES: 3 },
                onFailure: 'ignore',
                output: 'json',
              },
            ],
          },
        ],
      },
      hooksConfig: { enabled: true, disabled: [], notifications: false },
    });
    expect(problems).toEqual([]);
    expect(hooks).toEqual([
      {
        event: 'BeforeTool',
        source: 'user',
        file: 'settings.json',
        path: 'hooks.BeforeTool[0].hooks[0]',
        matcher: { source: 'write_file|replace', test: expect.any(Function) },
        sequential: true,
        name: 'scan',
        description: 'Looks for keys',
        command: './scan.sh',
        timeoutMs: 5000,
        env: { LEVEL: 'high', RETRIES: '3' },
        onFailure: 'ignore',
        output: 'json',
      },
    ]);
  });

  test('and what is omitted is what Gemini CLI takes for it, but a failure refuses [H3]', async () => {
    const { hooks } = await read(withHook({}));
    expect(hooks).toMatchObject([
      { matcher: null, sequential: false, name: null, timeoutMs: 60_000, env: {}, onFailure: 'deny' },
    ]);
  });

  test.each([
    'BeforeTool',
    'AfterTool',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'AfterModel',
    'BeforeToolSelection',
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
  ])('on %s', async (event) => {
    const { hooks, problems } = await read({ hooks: { [event]: [{ matcher: '*', hooks: [hook()] }] } });
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([{ event, matcher: null }]);
  });

  test('and null is as good as nothing', async () => {
    const nothing = { name: null, description: null, timeout: null, env: null, onFailure: null };
    const groups = [{ matcher: null, sequential: null, hooks: [hook(nothing)] }];
    const { hooks, problems } = await read({ hooks: { BeforeTool: groups }, hooksConfig: null });
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([
      { matcher: null, name: null, timeoutMs: 60_000, env: {}, onFailure: 'deny' },
    ]);
  });

  test('and settings without hooks have none', async () => {
    expect(await read({ theme: 'dark' })).toMatchObject({ hooks: [], problems: [] });
  });
});

describe('a matcher', () => {
  test.each([
    ['write_file', 'write_file', true],
    ['write_file|replace', 'replace', true],
    ['write', 'write_file', true],
    ['^write$', 'write_file', false],
    ['read_.*', 'read_many_files', true],
    ['mcp_github_.*', 'mcp_github_create_issue', true],
    ['  write_file  ', 'write_file', true],
    ['write_file', 'read_file', false],
  ])('for tools is searched in their names: %s in %s [H1]', async (matcher, tool, expected) => {
    const { hooks } = await read(withMatcher(matcher));
    expect(hooks[0]?.matcher?.test(tool)).toBe(expected);
  });

  test.each(['*', '', '  '])('"%s" stands for everything [H1]', async (matcher) => {
    expect((await read(withMatcher(matcher))).hooks).toMatchObject([{ matcher: null }]);
  });

  test('elsewhere is a word, and one that never comes is reported', async () => {
    const { hooks, problems } = await read({
      hooks: {
        SessionStart: [
          { matcher: 'resume', hooks: [hook()] },
          { matcher: 'startup|resume', hooks: [hook({ name: 'never' })] },
        ],
      },
    });
    expect(hooks.map(({ matcher }) => matcher?.test('resume'))).toEqual([true, false]);
    expect(problems).toMatchObject([
      {
        path: 'hooks.SessionStart[1].matcher',
        problem: expect.stringContaining('"startup", "resume", "clear"'),
      },
    ]);
  });

  test('where there is nothing to match is reported to have no effect', async () => {
    const { hooks, problems } = await read(withMatcher('gemini-3', 'BeforeModel'));
    expect(hooks).toMatchObject([{ matcher: null }]);
    expect(problems).toMatchObject([{ path: 'hooks.BeforeModel[0].matcher', effect: 'not used' }]);
  });

  test('made to hang others ends at once [H1]', async () => {
    const { hooks } = await read(withMatcher('^(([a-z])+.)+[A-Z]([a-z])+$'));
    expect(hooks[0]?.matcher?.test('a'.repeat(50_000))).toBe(false);
  });
});

describe('what cannot be kept as it is written is reported, with its place, and never passes in silence', () => {
  test.each([
    ['no settings at all', 'text', '', 'omitted'],
    ['hooks that are a list', { hooks: [] }, 'hooks', 'omitted'],
    ['an event of another program', { hooks: { PreToolUse: [] } }, 'hooks.PreToolUse', 'omitted'],
    ['an event in other letters', { hooks: { beforeTool: [] } }, 'hooks.beforeTool', 'omitted'],
    ['an event with one group', { hooks: { BeforeTool: { hooks: [] } } }, 'hooks.BeforeTool', 'omitted'],
    [
      'a group without hooks',
      { hooks: { BeforeTool: [{ matcher: '*' }] } },
      'hooks.BeforeTool[0]',
      'omitted',
    ],
    ['a group that is null', { hooks: { BeforeTool: [null] } }, 'hooks.BeforeTool[0]', 'omitted'],
    ['a broken pattern', withMatcher('write_('), 'hooks.BeforeTool[0].matcher', 'omitted'],
    ['a pattern that looks ahead', withMatcher('^(?!read_)'), 'hooks.BeforeTool[0].matcher', 'omitted'],
    ['a matcher that is no text', withMatcher(7), 'hooks.BeforeTool[0].matcher', 'omitted'],
    ['a pattern without end', withMatcher('a'.repeat(3_000)), 'hooks.BeforeTool[0].matcher', 'omitted'],
    ['a hook that is a text', { hooks: { BeforeTool: [{ hooks: ['true'] }] } }, atHook(), 'omitted'],
    ['no type', withHook({ type: undefined }), atHook(), 'omitted'],
    ['a type unknown', withHook({ type: 'prompt' }), atHook('.type'), 'omitted'],
    ['no command', withHook({ command: undefined }), atHook(), 'omitted'],
    ['an empty command', withHook({ command: ' ' }), atHook('.command'), 'omitted'],
    ['a command with a NUL', withHook({ command: 'true\0false' }), atHook('.command'), 'omitted'],
    ['an environment that is a list', withHook({ env: ['A=b'] }), atHook('.env'), 'omitted'],
    ['a variable that is an object', withHook({ env: { A: {} } }), atHook('.env'), 'omitted'],
    ['a variable that is ours', withHook({ env: { COUNTERSIGN_CALL: '' } }), atHook('.env'), 'omitted'],
    ['a timeout in words', withHook({ timeout: '5s' }), atHook('.timeout'), 'not used'],
    ['no time at all', withHook({ timeout: 0 }), atHook('.timeout'), 'not used'],
    ['negative time', withHook({ timeout: -1 }), atHook('.timeout'), 'not used'],
    ['more time than a timer holds', withHook({ timeout: 2 ** 31 }), atHook('.timeout'), 'not used'],
    ['time without end', withHook({ timeout: Number.POSITIVE_INFINITY }), atHook('.timeout'), 'not used'],
    ['a failure that allows', withHook({ onFailure: 'allow' }), atHook('.onFailure'), 'not used'],
    ['an output that is not known', withHook({ output: 'text' }), atHook('.output'), 'not used'],
    ['a name that is none', withHook({ name: 7 }), atHook('.name'), 'not used'],
    ['a misspelt field', withHook({ timeuot: 10 }), atHook('.timeuot'), 'not used'],
    [
      'a misspelt field of a group',
      { hooks: { AfterTool: [{ match: 'x', hooks: [] }] } },
      'hooks.AfterTool[0].match',
      'not used',
    ],
    ['a switch that is none', { hooksConfig: { enabled: 'no' } }, 'hooksConfig.enabled', 'not used'],
    ['names that are none', { hooksConfig: { disabled: [1] } }, 'hooksConfig.disabled', 'not used'],
    ['a misspelt switch', { hooksConfig: { disable: [] } }, 'hooksConfig.disable', 'not used'],
  ])('%s [H1]', async (_, settings, path, effect) => {
    const { hooks, problems } = await read(settings);
    expect(problems).toMatchObject([{ path, effect }]);
    const isKept = effect === 'not used' && path.startsWith('hooks.BeforeTool');
    expect(hooks.map(({ timeoutMs, onFailure }) => ({ timeoutMs, onFailure }))).toEqual(
      isKept ? [{ timeoutMs: 60_000, onFailure: 'deny' }] : [],
    );
  });

  test('and the hooks beside it are read', async () => {
    const { hooks, problems } = await read({
      hooks: {
        BeforeTool: [
          { matcher: '(', hooks: [hook()] },
          { hooks: [hook({ name: 'good' }), hook({ type: 'x' })] },
        ],
      },
    });
    expect(hooks).toMatchObject([{ name: 'good', path: 'hooks.BeforeTool[1].hooks[0]' }]);
    expect(problems.map(({ path }) => path)).toEqual([
      'hooks.BeforeTool[0].matcher',
      'hooks.BeforeTool[1].hooks[1].type',
    ]);
  });
});

function atHook(field = '') {
  return `hooks.BeforeTool[0].hooks[0]${field}`;
}

describe('switching off', () => {
  const guards = {
    hooks: { BeforeTool: [{ hooks: [hook({ name: 'scan' }), hook({ command: './log.sh' })] }] },
  };
  const inForce = async (files: { readonly [S in HookSource]?: unknown }) => {
    const sources = ['project', 'user', 'system', 'extension'] as const;
    const all = await Promise.all(sources.map((source) => read(files[source] ?? {}, source)));
    return hooksInForce(all).map(({ source, name, command }) => `${source}:${name ?? command}`);
  };

  test('is by name, or by command where there is none [H1]', async () => {
    const { hooks } = await read({ ...guards, hooksConfig: { disabled: ['scan', './log.sh', 'true'] } });
    expect(hooks).toEqual([]);
  });

  test('works where Gemini CLI once kept it, too [H1]', async () => {
    const { hooks, problems } = await read({ hooks: { ...guards.hooks, disabled: ['scan'] } });
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([{ command: './log.sh' }]);
    expect((await read({ hooks: { ...guards.hooks, enabled: false } })).hooks).toEqual([]);
  });

  test('all of them is one switch [H1]', async () => {
    expect((await read({ ...guards, hooksConfig: { enabled: false } })).hooks).toEqual([]);
  });

  test('a person can switch off what a project brings [H4]', async () => {
    expect(await inForce({ project: guards, user: { hooksConfig: { disabled: ['scan'] } } })).toEqual([
      'project:./log.sh',
    ]);
  });

  test('a project cannot switch off what a person or an administrator guards with [H4]', async () => {
    const project = { hooksConfig: { enabled: false, disabled: ['scan'] } };
    expect(await inForce({ project, user: guards, system: guards, extension: guards })).toEqual([
      'user:scan',
      'user:./log.sh',
      'system:scan',
      'system:./log.sh',
      'extension:scan',
      'extension:./log.sh',
    ]);
  });
});
