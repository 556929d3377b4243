import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPolicy, type PolicySource } from '@countersign/engine';
import type { Tier, Verdict } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import {
  type Call,
  CIRCUMSTANCES,
  discovered,
  editing,
  fetching,
  reading,
  running,
  serving,
  thinking,
} from './calls.js';

// Rules as Gemini CLI ships, documents and saves them, in meaning; loaded as they are.

const DIRECTORY = join(root, 'tests/compat/policies');
const source = (name: string, tier: Tier): PolicySource => ({ file: join(DIRECTORY, name), tier });
const SHIPPED = readdirSync(join(DIRECTORY, 'shipped')).map((name) => source(`shipped/${name}`, 'default'));

async function load(...more: readonly PolicySource[]) {
  const loaded = await loadPolicy([...SHIPPED, ...more]);
  if (!loaded.ok) throw new Error(`${loaded.failure.file}:${loaded.failure.line}: ${loaded.failure.problem}`);
  return loaded;
}

const LETTER: { readonly [D in Verdict['decision']]: string } = { allow: 'a', ask_user: '?', deny: 'd' };

/** One letter for each of the circumstances: manual, auto_edit, plan, yolo; with somebody attached, and with nobody. */
async function judged(call: Call, ...more: readonly PolicySource[]): Promise<string> {
  const { policy } = await load(...more);
  const letters = CIRCUMSTANCES.map((each) => LETTER[policy.judge({ ...call, ...each }).decision]);
  return (letters.join('').match(/../g) ?? []).join(' ');
}

/** What was remarked on a file: how seriously, and the line as it stands there. */
function remarked(notices: Awaited<ReturnType<typeof load>>['notices'], name: string): string[] {
  const lines = readFileSync(join(DIRECTORY, name), 'utf8').split('\n');
  return notices
    .filter(({ file }) => file === join(DIRECTORY, name))
    .map(({ severity, line }) => `${severity} ${lines[line - 1]}`);
}

const CHANGES = '?d aa dd aa'; // in auto_edit an edit passes, while planning nothing does
const RUNS = '?d ?d dd aa';
const LOOKS = 'aa aa aa aa';
const PLANS = '?d aa aa aa';
const NEVER = 'dd dd dd dd';

describe('the rules that ship', () => {
  test.each([
    ['read_file', reading('read_file'), LOOKS],
    ['glob', reading('glob'), LOOKS],
    ['grep_search', reading('grep_search'), LOOKS],
    ['list_directory', reading('list_directory'), LOOKS],
    ['google_web_search', fetching('google_web_search'), LOOKS],
    ['update_topic', thinking('update_topic'), LOOKS],
    ['tracker_create_task', thinking('tracker_create_task'), LOOKS],
    ['complete_task', thinking('complete_task'), LOOKS],
    ['list_mcp_resources', thinking('list_mcp_resources'), LOOKS],
    ['write_file', editing('write_file', 'src/a.ts'), CHANGES],
    ['replace', editing('replace', 'src/a.ts'), CHANGES],
    ['a text that is no plan', editing('write_file', 'src/a.md'), CHANGES],
    ['a plan by its name', editing('write_file', 'plan-1.md'), PLANS],
    ['a plan in plans', editing('replace', 'plans/plan_1.md'), PLANS],
    ['a plan in ./plans', editing('write_file', './plans/a.md'), PLANS],
    ['a plan in the temporary folder', editing('write_file', '.gemini/tmp/p/plans/a.md'), PLANS],
    ['a plan of a session', editing('replace', 'x/.gemini/tmp/p/s/plans/a.md'), PLANS],
    ['a plan above plans', editing('write_file', 'plans/../a.md'), CHANGES],
    [
      'a source file with a plan within',
      editing('write_file', 'a.ts', { x: { file_path: 'plans/a.md' } }),
      CHANGES,
    ],
    [
      'a source file that quotes a plan',
      editing('write_file', 'a.ts', { content: '"file_path":"a.md"' }),
      CHANGES,
    ],
    ['npm test', running('npm test'), RUNS],
    ['a redirection', running('echo a > b'), RUNS],
    ['a program that is not known', running('$X'), RUNS],
    ['activate_skill', thinking('activate_skill'), '?d ?d ?d aa'],
    ['web_fetch', fetching('web_fetch'), '?d aa ?d aa'],
    ['ask_user', thinking('ask_user'), '?d ?d ?d ?d'],
    ['enter_plan_mode', thinking('enter_plan_mode'), '?a ?a dd da'],
    ['an agent that looks around', thinking('invoke_agent', { agent_name: 'cli_help' }), LOOKS],
    ['another agent', thinking('invoke_agent', { agent_name: 'cli_helper' }), 'aa aa dd aa'],
    ['a discovered tool', discovered('discovered_tool_deploy'), RUNS],
    ['a tool of a server', serving('jira', 'create'), RUNS],
    ['a tool of a server that only reads', serving('jira', 'search', 'looks'), '?d ?d ?d aa'],
  ])(
    '%s: what they are meant to say, in every mode, attended and not [P2] [P1]',
    async (_, call, expected) => {
      expect(await judged(call)).toBe(expected);
    },
  );

  test.each([
    [
      'a plan outside the workspace is asked about',
      editing('write_file', '/home/u/.gemini/tmp/p/plans/a.md'),
      '?d ?d ?d ?d',
    ],
    ['a plan is agreed to by a person or not at all', thinking('exit_plan_mode'), 'dd dd ?d dd'],
  ])('stricter on purpose: %s [P5] [A8]', async (_, call, expected) => {
    expect(await judged(call)).toBe(expected);
  });

  test('what is in force nowhere is reported with its line [P2]', async () => {
    const { notices } = await load();
    const warnings = Object.fromEntries(
      SHIPPED.map(({ file }) => file.slice(DIRECTORY.length + 1)).map((name) => [
        name,
        remarked(notices, name).filter((each) => !each.startsWith('info argsPattern')),
      ]),
    );
    expect(warnings).toEqual({
      'shipped/agents.toml': [],
      'shipped/conseca.toml': ['warning [[safety_checker]]'],
      'shipped/discovered.toml': [],
      'shipped/non-interactive.toml': [],
      'shipped/plan.toml': [],
      'shipped/read-only.toml': [],
      'shipped/sandbox-default.toml': ['warning [modes.plan]', 'warning [commands]', 'warning [[rules]]'],
      'shipped/write.toml': ['warning [rule.safety_checker]', 'warning [rule.safety_checker]'],
      'shipped/yolo.toml': [],
    });
    const translated = notices.filter(({ text }) => /matched on the argument \w+ alone/.test(text));
    expect(translated).toHaveLength(8);
    expect(notices.find(({ text }) => text.includes('[[rule]]'))?.file).toMatch(/sandbox-default\.toml$/);
  });
});

describe('rules that a person saved by answering', () => {
  const saved = source('auto-saved.toml', 'user');

  test.each([
    ['a command', running('npm run build'), 'aa aa dd aa'],
    ['a command with more words', running('npm run build -- --watch'), 'aa aa dd aa'],
    ['a command that only begins alike', running('npm run build:prod'), RUNS],
    ['a command before another', running('git log; npm publish'), RUNS],
    ['a command of a longer name', running('git logs'), RUNS],
    ['a redirection', running('echo a > b'), 'aa aa dd aa'],
    ['a redirection without leave', running('git log > b'), RUNS],
    ['a tool of a server', serving('my-jira-server', 'search'), LOOKS],
    ['another tool of that server', serving('my-jira-server', 'delete'), RUNS],
    ['a whole server', serving('notes', 'add'), 'aa aa dd aa'],
    ['a server of a longer name', serving('notes_evil', 'add'), RUNS],
    ['a file', editing('write_file', 'src/my notes/a-b.ts'), 'aa aa dd aa'],
    ['a file with another name', editing('write_file', 'src/my notes/a-bxts'), CHANGES],
    ['a file below', editing('write_file', 'x/src/my notes/a-b.ts'), CHANGES],
    ['a file in single quotes', editing('replace', 'docs/a.md'), 'aa aa dd aa'],
    ['a file for the other tool', editing('write_file', 'docs/a.md'), CHANGES],
    ['a tool', fetching('web_fetch'), LOOKS],
  ])('%s [P2] [P6]', async (_, call, expected) => {
    expect(await judged(call, saved)).toBe(expected);
  });
});

describe('rules of the documentation', () => {
  const documented = source('documented.toml', 'user');

  test.each([
    ['rm -rf', running('rm -rf build'), NEVER],
    ['rm -rf behind sudo', running('cd x && sudo rm -rf build'), NEVER],
    ['rm -r', running('rm -r build'), RUNS],
    ['git push', running('git push'), RUNS],
    ['git status, allowed while planning', running('git status', false), '?d ?d aa aa'],
    ['git diff to a file while planning', running('git diff > a'), RUNS],
    ['npm test, but not while planning', running('npm test'), 'aa aa dd aa'],
    ['npm publish', running('npm publish --tag x'), NEVER],
    ['npm publish in a chain', running('npm test && npm publish'), NEVER],
    ['pnpm, by its arguments', running('pnpm install'), RUNS],
    ['a tool of a server', serving('my-jira-server', 'search', 'looks'), LOOKS],
    ['a server that nobody vouches for', serving('untrusted-server', 'search', 'looks'), NEVER],
    ['any server', serving('other', 'add'), RUNS],
    ['a tool by its name on any server', serving('other', 'delete_all'), NEVER],
    ['a tool that only reads, while planning', serving('other', 'list', 'looks'), '?d ?d aa aa'],
    ['.env', editing('write_file', 'config/.env'), NEVER],
    ['.env.example', editing('write_file', '.env.example'), CHANGES],
    ['a plan in the folder of the project', editing('write_file', 'x/.gemini/plans/a.md'), PLANS],
    ['an agent', thinking('codebase_investigator'), NEVER],
    ['what an agent reads', { ...reading('read_file'), subagent: 'codebase_investigator' }, NEVER],
    ['what others read', { ...reading('read_file'), subagent: 'cli_help' }, LOOKS],
    ['credentials', reading('read_file', 'gha-creds-1.json'), NEVER],
    ['credentials in a command', running('cat gha-creds-1.json', false), NEVER],
  ])('%s [P2]', async (_, call, expected) => {
    expect(await judged(call, documented)).toBe(expected);
  });

  test('a denial tells why in the words of its rule, in either spelling of the key [P2]', async () => {
    const { policy } = await load(documented);
    const reasonOf = (call: Call) => policy.judge({ ...call, mode: 'manual', attended: true }).reason;
    expect(reasonOf(running('npm publish'))).toBe('Publishing is for the build.');
    expect(reasonOf(thinking('codebase_investigator'))).toBe('No deep analysis in this session.');
  });

  test('a pattern that means no single argument is matched on all of them, and that is said [P2]', async () => {
    const { notices } = await load(documented);
    expect(remarked(notices, 'documented.toml')).toContain(
      String.raw`info argsPattern = ".*/?gha-creds-\\w+\\.json"`,
    );
  });

  test('a question in yolo mode is not asked, and that is said [P2] [P1]', async () => {
    expect(await judged(thinking('activate_skill'), documented)).toBe('?d ?d ?d aa');
    const { notices } = await load(documented);
    expect(remarked(notices, 'documented.toml')).toContain('warning modes = ["yolo"]');
  });

  test('a tool that is not there is reported, so that no one relies on its rule [P2]', async () => {
    const loaded = await loadPolicy([documented], {
      knownTools: ['read_file', 'write_file', 'replace', 'run_shell_command'],
    });
    expect(loaded).toMatchObject({
      ok: true,
      notices: expect.arrayContaining([
        expect.objectContaining({
          severity: 'warning',
          text: expect.stringContaining('"codebase_investigator"'),
        }),
      ]),
    });
  });
});

test('what an extension ships: its questions count, its checker is reported [P2]', async () => {
  const extension = source('extension.toml', 'extension');
  expect(await judged(serving('my_server', 'dangerous_tool', 'looks'), extension)).toBe('?d ?d ?d aa');
  const { notices } = await load(extension);
  expect(remarked(notices, 'extension.toml')).toEqual(['warning [[safety_checker]]']);
});
