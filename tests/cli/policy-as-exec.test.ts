import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { hooksFor, saying, userSettings } from './hook-settings.js';
import { asLines, type Line, type Place, TEST_TOOLS, test } from './program.js';

const MODES = ['plan', 'manual', 'auto_edit', 'yolo', 'confirm_always'] as const;
const SUMS = { command: process.execPath, args: [join(root, 'tests/mcp/faulty-server.mjs'), '{}'] };

const call = (tool: string, args: Line = {}): Line => ({ tool, args });
const shell = (command: string): Line => call('run_shell_command', { command });

/** Harmless where they are allowed, each on files of its own. */
const BUILT_IN: readonly Line[] = [
  call('read_file', { file_path: 'a.txt' }),
  call('read_file', { file_path: '../outside.txt' }),
  call('read_file', { file_path: '.env' }),
  call('read_many_files', { include: ['*.txt'] }),
  call('list_directory', { dir_path: '.' }),
  call('glob', { pattern: '*.txt' }),
  call('grep_search', { pattern: 'one' }),
  call('write_file', { file_path: 'new-1.txt', content: 'x\n' }),
  call('write_file', { file_path: '../outside-2.txt', content: 'x\n' }),
  call('write_file', { file_path: '.git/hooks/pre-commit', content: 'x\n' }),
  call('replace', { file_path: 'b.txt', old_string: 'two', new_string: '2' }),
  call('write_todos', { todos: [{ description: 'one', status: 'pending' }] }),
  call('update_topic', { title: 'Tests', summary: 'Of the judge.', strategic_intent: 'Compare.' }),
  call('save_memory', { fact: 'It rains.' }),
  call('activate_skill', { name: 'greet' }),
  call('web_fetch', { prompt: 'Read http://127.0.0.1:9/ and say what it says.' }),
  call('ask_user', { questions: [{ question: 'Yes?', header: 'Q', type: 'yesno' }] }),
  call('list_background_processes'),
  call('exit_plan_mode', { plan_filename: 'plan.md' }),
  shell('ls'),
  shell('git status'),
  shell('echo one > c.txt'),
  shell('cat ../outside.txt'),
  shell('make all'),
  shell('true && make all'),
  shell('curl http://127.0.0.1:9/'),
  shell('rm -rf /nowhere-at-all'),
  shell('env | sort'),
  shell('python3 -c "print(1)"'),
  call('bash', { command: 'ls' }),
  call('Read', { file_path: 'a.txt' }),
  call('LS', { path: '.' }),
  call('no_such_tool', { x: 1 }),
  call('read_file', { file_path: 7 }),
];
const OTHERS: readonly Line[] = [
  call('mcp_sums_add', { a: 1, b: 2 }),
  call('mcp_sums_add', { a: 'one' }),
  call('mcp_sums_nothing', {}),
  call('mcp_trusted_add', { a: 1, b: 2 }),
  call('stamp', { ms: 0 }),
  call('deploy', { target: 'here' }),
];

type Seen = { readonly decision: unknown; readonly rule: unknown };

/** The verdict and rule for each call as a real run recorded them; 'fails' for a call that is never judged. */
async function asRun(place: Place, calls: readonly Line[], ...options: string[]): Promise<readonly Seen[]> {
  const numbered = calls.map(({ tool, args }, index) => ({ id: `c${index}`, name: tool, args }));
  const { lines, stderr } = await place.run(['exec', '--events', '--approvals', 'deny', ...options], {
    stdin: asLines(...numbered),
  });
  const seen = new Map<unknown, Seen>();
  for (const { event } of lines as readonly { readonly event?: Line }[]) {
    const verdict = event?.['verdict'] as Line | undefined;
    if (event?.['type'] === 'call.planned')
      seen.set(event['callId'], { decision: verdict?.['decision'], rule: verdict?.['rule'] });
    if (event?.['type'] === 'call.granted')
      seen.set(event['callId'], { decision: 'allow', rule: seen.get(event['callId'])?.rule });
  }
  if (seen.size === 0) throw new Error(`No call was judged: ${stderr}`);
  return numbered.map(({ id }) => seen.get(id) ?? { decision: 'fails', rule: null });
}

const linesOf = async (place: Place, calls: readonly Line[], ...options: string[]) =>
  (await place.run(['policy', 'check', '--json', ...options], { stdin: asLines(...calls) })).lines;

/** The same as the check sees it. */
async function asChecked(
  place: Place,
  calls: readonly Line[],
  ...options: string[]
): Promise<readonly Seen[]> {
  const unattended = calls.map((each) => ({ ...each, interactive: false }));
  return (await linesOf(place, unattended, ...options)).map(({ decision, rule, reasons }) =>
    String(reasons).includes('The call itself would fail')
      ? { decision: 'fails', rule: null }
      : { decision, rule },
  );
}

function furnish(place: Place): void {
  place.write('a.txt', 'one\n');
  place.write('b.txt', 'two\n');
  place.write('.env', 'KEY=1\n');
  place.write('../outside.txt', 'out\n');
  place.write(
    '../user/.gemini/skills/greet/SKILL.md',
    '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n',
  );
}

const named = (calls: readonly Line[], seen: readonly Seen[]) =>
  calls.map(({ tool, args }, index) => ({ call: `${String(tool)} ${JSON.stringify(args)}`, ...seen[index] }));

describe('policy check gives the verdict and the rule of a real run', () => {
  for (const mode of MODES)
    test(`for built-in tools, aliases, memory and skills in mode ${mode} [P7] [P1]`, async ({ place }) => {
      furnish(place);
      const checked = await asChecked(place, BUILT_IN, '--mode', mode);
      const run = await asRun(place, BUILT_IN, '--mode', mode);
      expect(named(BUILT_IN, checked)).toEqual(named(BUILT_IN, run));
    });

  for (const mode of MODES)
    test(`for tools of MCP servers and of modules in mode ${mode} [P7] [M1]`, async ({ place }) => {
      userSettings(place, { mcpServers: { sums: SUMS, trusted: { ...SUMS, trust: true } } });
      const options = ['--mode', mode, '--tools', TEST_TOOLS];
      const checked = await asChecked(place, OTHERS, '--connect', ...options);
      const run = await asRun(place, OTHERS, ...options);
      expect(named(OTHERS, checked)).toEqual(named(OTHERS, run));
    });

  for (const sandbox of ['off', 'on'])
    test(`with --sandbox ${sandbox} [P7] [X1]`, async ({ place }) => {
      furnish(place);
      const calls = BUILT_IN.filter(({ tool }) => tool === 'run_shell_command' || tool === 'bash');
      for (const mode of ['manual', 'yolo']) {
        const options = ['--mode', mode, '--sandbox', sandbox];
        const checked = await asChecked(place, calls, ...options);
        expect(named(calls, checked)).toEqual(named(calls, await asRun(place, calls, ...options)));
      }
    });

  test('with the grants of a session, of its workspace and without either [P7] [P6]', async ({ place }) => {
    furnish(place);
    const running = place.start(['exec', '--approvals', 'stdio', '--session', 's1']);
    const always = async (id: string, wanted: Line, outcome: string) => {
      running.say({ id, name: wanted['tool'], args: wanted['args'] });
      running.answer(await running.approval(id), outcome);
      await running.line({ callId: id });
    };
    await always('w', call('write_file', { file_path: 'w.txt', content: 'x\n' }), 'proceed_always');
    await always('g', shell('git fetch origin'), 'proceed_always_and_save');
    running.end();
    await running.ended();

    const calls = [
      call('write_file', { file_path: 'v.txt', content: 'x\n' }),
      call('write_file', { file_path: '.env', content: 'x\n' }),
      shell('git fetch origin --quiet'),
      shell('git fetch elsewhere'),
      shell('make all'),
    ];
    for (const mode of MODES) {
      const checked = await asChecked(place, calls, '--session', 's1', '--mode', mode);
      const run = await asRun(place, calls, '--resume', 's1', '--mode', mode);
      expect(named(calls, checked)).toEqual(named(calls, run));
    }
    const decisions = async (...options: string[]) =>
      (await linesOf(place, calls, ...options)).map(({ decision }) => decision);
    expect(await decisions()).toEqual(['ask_user', 'ask_user', 'allow', 'ask_user', 'ask_user']);
    expect(await decisions('--session', 's1', '--mode', 'manual')).toEqual([
      ...['allow', 'ask_user', 'allow', 'ask_user', 'ask_user'],
    ]);
    expect((await linesOf(place, calls, '--session', 's1', '--mode', 'manual'))[0]).toMatchObject({
      rule: { name: 'editing' },
      grant: { scope: 'session' },
      reasons: [
        expect.stringMatching(/^The session grant \S+ allows it: /),
        expect.stringMatching(/^Without it: /),
      ],
    });
    const sessions = await place.run(['sessions', 'list', '--json']);
    expect(sessions.lines).toHaveLength(1);
    expect(await place.run(['policy', 'check', '--session', 'typo', 'ls'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('typo'),
    });
  });
});

test('policy check says which server and which hook it did not ask [P7] [M1] [H1]', async ({ place }) => {
  userSettings(place, {
    mcpServers: { sums: SUMS },
    ...hooksFor({
      BeforeTool: [{ name: 'guard', command: saying({ decision: 'deny' }), matcher: 'write_file' }],
    }),
  });
  const calls = [
    call('mcp_sums_add', { a: 1, b: 2 }),
    call('write_file', { file_path: 'x.txt', content: '' }),
    call('list_directory', { dir_path: '.' }),
  ];
  const [sums, write, list] = await linesOf(place, calls);
  expect(sums).toMatchObject({ decision: 'ask_user', certain: false });
  expect(String(sums?.['reasons'])).toMatch(/The MCP server "sums" was not asked.+--connect/);
  expect(write).toMatchObject({ certain: false });
  expect(String(write?.['reasons'])).toContain('the hook "guard" was not asked');
  expect(list).not.toHaveProperty('certain');
  const text = await place.run(['policy', 'check', 'mcp_sums_add', '{"a":1,"b":2}']);
  expect(text.stdout).toContain('Note: Not known: The MCP server "sums" was not asked');
});

test('policy check --approvals deny judges for nobody to ask, and a line may say otherwise [P7]', async ({
  place,
}) => {
  const calls = [shell('make all'), { ...shell('make all'), interactive: true }];
  const lines = await linesOf(place, calls, '--approvals', 'deny');
  expect(lines.map(({ decision }) => decision)).toEqual(['deny', 'ask_user']);
});
