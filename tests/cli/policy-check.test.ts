import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { asLines, errorOf, type Line, type Place, test } from './program.js';

const shell = (command: string, more: Line = {}): Line => ({
  tool: 'run_shell_command',
  args: { command },
  ...more,
});
const rule = (decision: string, more: Line = {}): Line => ({ tool: 'run_shell_command', decision, ...more });

const check = (place: Place, calls: readonly unknown[], ...args: string[]) =>
  place.run(['policy', 'check', '--json', ...args], { stdin: asLines(...calls) });

function rulesFile(place: Place, text: string): string {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, text);
  return file;
}

describe('policy check --json', () => {
  test('answers every line in order, with the rule, its place and each command [P7] [P1]', async ({
    place,
  }) => {
    const calls = [
      { id: 'a', ...shell('git status && git push') },
      { id: 2, name: 'read_file', args: { file_path: 'a.txt' } },
      { tool: 'write_file', args: { file_path: 'a.txt', content: '' } },
    ];
    place.write('a.txt', '');
    const { code, lines, stderr } = await check(place, calls);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines).toEqual([
      {
        id: 'a',
        decision: 'ask_user',
        rule: null,
        reasons: ['`git push` asks: no rule matches.'],
        commands: [
          expect.objectContaining({
            text: 'git status',
            span: { start: 0, end: 10 },
            program: 'git',
            decision: 'allow',
            rule: expect.objectContaining({ tier: 'default', file: 'default-policy.toml' }),
          }),
          expect.objectContaining({ text: 'git push', span: { start: 14, end: 22 }, decision: 'ask_user' }),
        ],
      },
      expect.objectContaining({
        id: 2,
        decision: 'allow',
        rule: expect.objectContaining({ name: 'reading' }),
        commands: [],
      }),
      expect.objectContaining({ decision: 'ask_user', rule: expect.objectContaining({ name: 'editing' }) }),
    ]);
    expect(lines[2]).not.toHaveProperty('id');
    expect(place.has('../home/countersign.db')).toBe(false);
  });

  test('judges by files, mode, workspace and attendance as the engine would [P1] [P2]', async ({ place }) => {
    const file = rulesFile(
      place,
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 5\n',
    );
    const decisions = async (calls: readonly Line[], ...args: string[]) =>
      (await check(place, calls, ...args)).lines.map(({ decision }) => decision);
    const outside = { tool: 'read_file', args: { file_path: join(place.directory, 'secret.txt') } };
    writeFileSync(join(place.directory, 'secret.txt'), '');
    const calls = [
      shell('npm test'),
      shell('npm test', { interactive: false }),
      shell('cat ../secret.txt'),
      outside,
    ];
    expect(await decisions(calls)).toEqual(['ask_user', 'deny', 'ask_user', 'ask_user']);
    expect(await decisions(calls, '--policy', file)).toEqual(['allow', 'allow', 'ask_user', 'ask_user']);
    expect(await decisions(calls, '--mode', 'plan')).toEqual(['deny', 'deny', 'ask_user', 'ask_user']);
    expect(await decisions(calls, '--mode', 'auto')).toEqual(['allow', 'allow', 'ask_user', 'ask_user']);
    expect(await decisions([outside], '--workspace', place.directory)).toEqual(['allow']);
  });

  test('rules that come with a line count instead of those in files, for that line only [P7]', async ({
    place,
  }) => {
    const file = rulesFile(place, '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n');
    const inline = {
      policy: [rule('allow', { commandPrefix: 'make' }), rule('ask', { commandExact: 'make x' })],
    };
    const calls = [
      shell('make', inline),
      shell('make x', inline),
      shell('ls', inline),
      shell('ls', { policy: [] }),
      shell('ls'),
      { tool: 'bash', args: { command: 'make' }, policy: [{ toolName: 'shell', decision: 'deny' }] },
    ];
    const { lines } = await check(place, calls, '--policy', file);
    expect(lines.map(({ decision }) => decision)).toEqual([
      'allow',
      'ask_user',
      'allow',
      'allow',
      'deny',
      'deny',
    ]);
    expect(lines[1]?.['rule']).toEqual({ name: null, tier: 'user', priority: 0, file: 'policy', line: 2 });
    const bare = await check(place, calls.slice(0, 4), '--no-defaults');
    expect(bare.lines.map(({ decision }) => decision)).toEqual(['allow', 'ask_user', 'ask_user', 'ask_user']);
  });

  test('without defaults, only rules decide, paths of a command do not ask, and neutral commands are allowed [P7]', async ({
    place,
  }) => {
    const cat = { policy: [rule('allow', { commandPrefix: 'cat' })] };
    const calls = [
      shell('cat /etc/passwd', cat),
      shell('true && [ -e x ]', { policy: [] }),
      shell('ls'),
      { tool: 'list_directory', args: { dir_path: '.' } },
      { tool: 'read_file', args: { file_path: '/etc/passwd' }, policy: [{ tool: '*', decision: 'allow' }] },
    ];
    const { lines } = await check(place, calls, '--no-defaults');
    expect(lines.map(({ decision }) => decision)).toEqual([
      'allow',
      'allow',
      'ask_user',
      'ask_user',
      'ask_user',
    ]);
  });

  test('a refused rule allows nothing and forbids all of its tool, and the result reports it [P3]', async ({
    place,
  }) => {
    const calls = ['allow', 'ask', 'deny'].map((decision) =>
      shell('abc', {
        policy: [rule('allow', { commandPrefix: 'abc' }), rule(decision, { commandRegex: '(a' })],
      }),
    );
    const { code, lines } = await check(place, calls, '--no-defaults');
    expect(code).toBe(0);
    expect(lines.map(({ decision }) => decision)).toEqual(['allow', 'ask_user', 'deny']);
    const notes = ['It has no effect.', 'Instead, every call of', 'Instead, every call of'];
    for (const [index, note] of notes.entries())
      expect(lines[index]?.['reasons']).toContainEqual(
        expect.stringMatching(`^Rule 2 is refused: .*${note}`),
      );
    const looking = shell('ab', { policy: [rule('allow', { commandRegex: '(?=a)ab' })] });
    expect((await check(place, [looking], '--no-defaults')).lines).toMatchObject([{ decision: 'ask_user' }]);
  });

  test('text that no program can be given is denied, in every mode and whatever the rules [P4]', async ({
    place,
  }) => {
    const all = { policy: [rule('allow')] };
    const calls = [shell('ls \0', all), shell('ls \ud800', all), shell('\udc00ls', all)];
    const { lines } = await check(place, calls, '--mode', 'yolo');
    expect(lines.map(({ decision }) => decision)).toEqual(['deny', 'deny', 'deny']);
  });

  test('a line that is no call gets an error in its place, and the others are judged [P7]', async ({
    place,
  }) => {
    const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const bad: readonly unknown[] = [
      'nonsense',
      '[]',
      { id: 'no tool' },
      { id: 'odd', tool: 'ls', argz: {} },
      { id: 'two', tool: 'a', name: 'b' },
      { id: 'args', tool: 'a', args: [] },
      { id: 'rules', tool: 'a', policy: [1] },
      { id: 'rule', ...shell('ls', { policy: [rule('allow', { commandPrefx: 'ls' })] }) },
      `{"id":"deep","tool":"a","policy":[{"tool":"a","decision":"deny","toolAnnotations":${nested}}]}`,
    ];
    const good = { id: 'good', ...shell('ls') };
    const { code, lines } = await check(place, [good, ...bad.flatMap((each) => [each, good])]);
    expect(code).toBe(2);
    expect(lines.filter((_, index) => index % 2 === 0)).toEqual(
      Array.from({ length: bad.length + 1 }, () =>
        expect.objectContaining({ id: 'good', decision: 'allow' }),
      ),
    );
    const answers = lines.filter((_, index) => index % 2 === 1);
    expect(answers.map(({ id }) => id)).toEqual([
      undefined,
      undefined,
      'no tool',
      'odd',
      'two',
      'args',
      'rules',
      'rule',
      'deep',
    ]);
    const messages = answers.map((line) => errorOf(line).message);
    expect(messages[3]).toContain('"argz" is not known');
    expect(messages[7]).toContain('did you mean "commandPrefix"?');
    for (const line of answers) expect(errorOf(line)).toMatchObject({ type: 'invalid_request' });
  });

  test('a call that cannot be planned is evaluated anyway, and the result has the reason [P7]', async ({
    place,
  }) => {
    const { lines } = await check(place, [shell('ls', { args: {} }), { tool: 'nobody_knows' }]);
    expect(lines).toMatchObject([
      {
        decision: 'ask_user',
        reasons: [expect.any(String), expect.stringContaining('"command" is required')],
      },
      { decision: 'ask_user' },
    ]);
  });

  test('rules see the server, the annotations and the agent that a line names [P2]', async ({ place }) => {
    const policy = [
      { mcpName: 'notes', decision: 'deny' },
      { toolName: 'x', toolAnnotations: { readOnlyHint: true }, decision: 'allow' },
      { toolName: 'x', subagent: 'scout', decision: 'deny' },
    ];
    const calls = [
      { tool: 'mcp_notes_add', mcpName: 'notes', policy },
      { tool: 'x', policy },
      { tool: 'x', toolAnnotations: { readOnlyHint: true }, policy },
      { tool: 'x', subagent: 'scout', policy },
    ];
    const { lines } = await check(place, calls);
    expect(lines.map(({ decision }) => decision)).toEqual(['deny', 'ask_user', 'allow', 'deny']);
  });

  test('rules see typed arguments and the real paths of files [P2] [P3]', async ({ place }) => {
    mkdirSync(join(place.workspace, 'db'));
    symlinkSync('db', join(place.workspace, 'link'));
    const policy = [
      { toolName: 'pay', when: { amount: { gt: 100 } }, decision: 'deny', priority: 2 },
      { toolName: 'pay', decision: 'allow', priority: 1 },
      {
        toolName: ['write_file', 'grep_search', 'run_shell_command'],
        paths: ['db/**'],
        decision: 'deny',
        priority: 3,
      },
      { toolName: 'write_file', paths: ['src/**'], decision: 'allow', priority: 1 },
    ];
    const write = (path: string) => ({ tool: 'write_file', args: { file_path: path, content: '' }, policy });
    const calls = [
      ...[50, 150, '150'].map((amount) => ({ tool: 'pay', args: { amount }, policy })),
      ...['src/new.ts', 'db/a.sql', 'link/a.sql', 'src/../db/a.sql', 'other', 'src/.env'].map(write),
      { tool: 'grep_search', args: { pattern: 'x' }, policy },
      shell('cat link/a.sql', { policy }),
      ...['grep -r x .', 'cat */*.sql', 'ls', 'cat src/a'].map((line) => shell(line, { policy })),
    ];
    const { lines } = await check(place, calls);
    expect(lines.map(({ decision }) => decision)).toEqual([
      ...['allow', 'deny', 'deny'],
      ...['allow', 'deny', 'deny', 'deny', 'ask_user', 'ask_user'],
      ...['deny', 'deny', 'deny', 'deny', 'allow', 'allow'],
    ]);
  });

  test('each answer comes while the next line is still to be written [P7]', async ({ place }) => {
    const running = place.start(['policy', 'check', '--json']);
    for (const id of ['first', 'second']) {
      running.say({ id, ...shell('ls') });
      expect(await running.line({ id })).toMatchObject({ decision: 'allow' });
    }
    running.end();
    expect((await running.ended()).code).toBe(0);
  });

  test('the whole corpus of shell policy gets its verdicts from one process [P4] [P7]', async ({ place }) => {
    type Case = {
      readonly id: string;
      readonly command: string;
      readonly expect: string;
      readonly interactive?: boolean;
    };
    const cases = readFileSync(join(root, 'tests/corpus/shell-policy.public.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case & { readonly policy: readonly Line[] } => JSON.parse(line));
    const calls = cases.map(({ id, command, policy, interactive }) => ({
      id,
      ...shell(command, { policy, interactive }),
    }));
    const { code, lines } = await check(place, calls, '--no-defaults');
    expect(code).toBe(0);
    expect(lines.map(({ id, decision }) => [id, decision === 'ask_user' ? 'ask' : decision])).toEqual(
      cases.map((each) => [each.id, each.expect]),
    );
    expect(cases.length).toBeGreaterThan(200);
  });
});

describe('policy check for people', () => {
  test('takes a command line, a tool with arguments, or a call, and answers in words [P7]', async ({
    place,
  }) => {
    const say = async (...words: string[]) => (await place.run(['policy', 'check', ...words])).stdout;
    expect(await say('git status; git push')).toBe(
      'ask_user: `git push` asks: no rule matches.\n  allow     git status\n  ask_user  git push\n',
    );
    expect(await say('run_shell_command', '{"command":"git push"}')).toBe(
      'ask_user: `git push` asks: no rule matches.\n',
    );
    expect(await say('{"id":"x","tool":"shell","args":{"command":"ls"},"policy":[]}')).toMatch(
      /^x: allow: Rule "looking/,
    );
    expect(await say('{ ls; }')).toMatch(/^allow: /);
  });

  test("a denial in its author's words names the rule anyway [P7]", async ({ place }) => {
    const file = rulesFile(
      place,
      '[[rule]]\nname = "hands off"\ntoolName = "write_file"\ndecision = "deny"\npriority = 9\ndenyMessage = "By hand, please."\n',
    );
    const write = '{"file_path":"a.txt","content":""}';
    const { stdout } = await place.run(['policy', 'check', '--policy', file, 'write_file', write]);
    expect(stdout).toBe(`deny: By hand, please. Rule "hands off" ${file}:1 (user 9).\n`);
  });

  test('what could act on a terminal is shown instead [A7] [P7]', async ({ place }) => {
    const evil = 'git push \u001b[2J\u202e; echo \u0007';
    for (const verb of ['check', 'explain']) {
      const { stdout } = await place.run(['policy', verb, evil]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(stdout).toContain('git push');
    }
  });

  test('an invalid command line reports what to do, and evaluates no call [C1]', async ({ place }) => {
    const tries: readonly (readonly [readonly string[], string])[] = [
      [[], 'policy needs a subcommand'],
      [['chek'], 'policy has no "chek"'],
      [['check', 'git', 'push', 'origin'], 'A command line is one argument'],
      [['check', 'git', 'push'], 'The arguments of git are not a JSON object: push'],
      [['check', '--mode', 'brave', 'ls'], '"brave" is not an approval mode'],
      [['test', 'x'], '"x" is one argument too many'],
    ];
    for (const [words, said] of tries) {
      const { code, stdout, stderr } = await place.run(['policy', ...words]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(said);
    }
    const { code } = await place.run(['policy', 'check', '--policy', 'nowhere.toml', 'ls']);
    expect(code).toBe(4);
  });
});
