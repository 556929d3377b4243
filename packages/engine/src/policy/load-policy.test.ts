import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meetsTests, type Rule, type Subject } from '@countersign/kernel';
import type { ApprovalMode, JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type KnownTools,
  loadPolicy,
  type ParsedPolicy,
  parsePolicyFile,
  policyHash,
  SharedPolicies,
} from './load-policy.js';

const PLACE = { file: 'p.toml', tier: 'user' } as const;

const parsed = (text: string, known: KnownTools = {}) => parsePolicyFile(text, { ...PLACE, ...known });

async function good(text: string, known?: KnownTools): Promise<Extract<ParsedPolicy, { ok: true }>> {
  const result = await parsed(text, known);
  if (!result.ok) throw new Error(`${result.failure.file}:${result.failure.line}: ${result.failure.problem}`);
  return result;
}
async function onlyRule(text: string, known?: KnownTools): Promise<Rule> {
  const { rules } = await good(text, known);
  expect(rules).toHaveLength(1);
  const [rule] = rules;
  if (!rule) throw new Error('no rule');
  return rule;
}
async function failure(text: string) {
  const result = await parsed(text);
  if (result.ok) throw new Error('it loaded');
  return result.failure;
}
const rule = (...lines: string[]) =>
  ['[[rule]]', 'toolName = "write_file"', 'decision = "deny"', 'priority = 1', ...lines].join('\n');
const allowing = (...lines: string[]) => rule(...lines).replace('"deny"', '"allow"');

describe('reading rules', () => {
  test('every key of a rule is understood [P2]', async () => {
    const text = `
[[rule]]
name = "all of it"
toolName = ["write_file", "read_*"]
mcpName = "jira"
decision = "ask_user"
priority = 999
modes = ["plan", "manual", "auto_edit", "yolo", "confirm_always"]
interactive = false
toolAnnotations = { readOnlyHint = true, tags = ["a"] }
allowRedirection = true
denyMessage = "no"
subagent = "scout"
`;
    expect(await onlyRule(text)).toEqual({
      ref: { name: 'all of it', tier: 'user', priority: 999, file: 'p.toml', line: 2 },
      tools: ['write_file', 'read_*'],
      mcpServer: 'jira',
      args: null,
      command: null,
      annotations: { readOnlyHint: true, tags: ['a'] },
      decision: 'ask_user',
      modes: ['plan', 'manual', 'auto_edit', 'yolo', 'confirm_always'],
      interactive: false,
      subagent: 'scout',
      allowRedirection: true,
      denyMessage: 'no',
    });
  });

  test('spellings of Gemini CLI mean the same [P1] [P2]', async () => {
    const { rules, notices } = await good(
      rule('modes = ["default", "autoEdit", "auto"]', 'allow_redirection = true', 'deny_message = "no"'),
    );
    expect(rules[0]).toMatchObject({
      modes: ['manual', 'auto_edit', 'yolo'],
      allowRedirection: true,
      denyMessage: 'no',
    });
    expect(notices).toEqual([]);
    expect((await onlyRule(rule('modes = []'))).modes).toBeNull();
    expect((await onlyRule(rule().replace('"deny"', '"ask"'))).decision).toBe('ask_user');
  });

  test('conditions on arguments and paths are read, and what cannot be one is refused [P2] [P3]', async () => {
    expect(
      await onlyRule(
        rule(
          'when.amount = { gt = 100, lte = 500 }',
          'when.to = ["a", "b"]',
          'when.dry = false',
          'paths = "src/**"',
        ),
      ),
    ).toMatchObject({
      when: [
        { key: 'amount', type: 'compare', operator: 'gt', than: 100 },
        { key: 'amount', type: 'compare', operator: 'lte', than: 500 },
        { key: 'to', type: 'oneOf', values: ['a', 'b'], isIn: true },
        { key: 'dry', type: 'oneOf', values: [false], isIn: true },
      ],
      paths: { patterns: ['src/**'], access: 'any' },
    });
    expect(await onlyRule(rule('paths = ["a", "b/*"]', 'access = "write"'))).toMatchObject({
      paths: { patterns: ['a', 'b/*'], access: 'write' },
    });
    const matched = await onlyRule(rule('when.to = { matches = "ma.n" }'));
    expect(['main', 'maintenance', 'xmain'].map((to) => meetsTests(matched, { to }))).toEqual([
      true,
      false,
      false,
    ]);
    for (const [line, problem] of [
      ['when.amount = { over = 1 }', 'when.amount does not know over; use one of eq, ne, gt'],
      ['when.amount = { gt = "1" }', 'when.amount gt must be a number'],
      ['when.amount = {}', 'when.amount needs one of eq'],
      ['when.a = { in = 1 }', 'when.a in must be a list'],
      ['when.a = { exists = 1 }', 'exists must be true or false'],
      ['when.a = { matches = "(" }', 'matches is not a usable regular expression'],
      ['when = "a"', 'when must be a table of arguments'],
      ['paths = ["../x"]', 'the pattern "../x" cannot be used'],
      ['paths = ["~/x"]', 'the pattern "~/x" cannot be used'],
      ['paths = []', 'paths must be a path'],
      ['access = "write"', 'access is about paths'],
      ['paths = "a"\naccess = "execute"', 'access must be "read" or "write"'],
      ['paths = "a"\nmatches = [{ file_path = "a" }]', 'examples cannot be used with paths'],
    ] as const)
      expect([line, (await failure(rule(line))).problem]).toEqual([line, expect.stringContaining(problem)]);
    const line = rule('when.command = "git status"').replace('"write_file"', '"run_shell_command"');
    expect((await failure(line.replace('"deny"', '"allow"'))).problem).toContain('when.command cannot allow');
    expect(await onlyRule(line)).toMatchObject({ when: [{ key: 'command' }] });
    expect((await failure(rule('when.a = 1', 'matches = [{ a = 2 }]'))).problem).toContain(
      'does not match its example',
    );
  });

  test('a rule for a server needs no tool name, any other does [P2]', async () => {
    const text = '[[rule]]\nmcpName = "jira"\ndecision = "deny"\npriority = 1';
    expect(await onlyRule(text)).toMatchObject({ tools: ['*'], mcpServer: 'jira' });
    expect(await failure('[[rule]]\ndecision = "allow"\npriority = 1')).toMatchObject({
      line: 1,
      problem: expect.stringContaining('toolName'),
    });
  });

  test('an alias means every tool that answers to it; a pattern reaches aliases only to deny or ask [P2] [T3]', async () => {
    const aliases = new Map([
      ['edit', ['write_file', 'replace']],
      ['cat', ['read_file']],
    ]);
    const named = async (names: string, decision = 'deny') => {
      const text = rule().replace('"write_file"', names).replace('"deny"', `"${decision}"`);
      return (await onlyRule(text, { aliases })).tools;
    };
    expect(await named('["edit", "cat", "glob"]')).toEqual(['write_file', 'replace', 'read_file', 'glob']);
    expect(await named('["edit"]', 'allow')).toEqual(['write_file', 'replace']);
    for (const decision of ['deny', 'ask_user'])
      expect(await named('"edi?"', decision)).toEqual(['edi?', 'write_file', 'replace']);
    expect(await named('"edit*"', 'allow')).toEqual(['edit*']);
    expect(
      (await onlyRule(`${rule().replace('write_file', 'edit')}\nmcpName = "a"`, { aliases })).tools,
    ).toEqual(['edit']);
  });

  test('conditions on commands are split into words, as a shell would [P2]', async () => {
    const shell = (decision: string, line: string) =>
      onlyRule(`[[rule]]\ntoolName = "run_shell_command"\ndecision = "${decision}"\npriority = 1\n${line}`);
    expect((await shell('allow', 'commandPrefix = "git log"')).command).toEqual({
      type: 'prefix',
      words: [['git', 'log']],
    });
    expect((await shell('allow', 'commandPrefix = ["a", "b"]')).command).toEqual({
      type: 'prefix',
      words: [['a'], ['b']],
    });
    expect((await shell('allow', 'commandExact = "ls -l"')).command).toEqual({
      type: 'exact',
      words: [['ls', '-l']],
    });
    expect((await shell('allow', `commandExact = "git commit -m 'two words'"`)).command).toEqual({
      type: 'exact',
      words: [['git', 'commit', '-m', 'two words']],
    });
    const allows = (await shell('allow', 'commandRegex = "git (log|show)"')).command;
    const denies = (await shell('deny', 'commandRegex = "rm"')).command;
    if (allows?.type !== 'regex' || denies?.type !== 'regex') throw new Error('not a pattern');
    expect(['git log', 'git log -p', 'x git log'].map((text) => allows.pattern.test(text))).toEqual([
      true,
      false,
      false,
    ]);
    expect(['rm', 'rm -rf', 'x rm'].map((text) => denies.pattern.test(text))).toEqual([true, true, false]);
  });
});

describe('patterns on arguments', () => {
  const pattern = (source: string) => `argsPattern = '''${source}'''`;

  test('one that names an argument is tied to it, and that is said [P2] [P3]', async () => {
    const { rules, notices } = await good(allowing(pattern('"file_path":"src/.*"')));
    expect(rules[0]?.args).toMatchObject({ type: 'argument', key: 'file_path' });
    expect(notices).toEqual([
      {
        severity: 'info',
        file: 'p.toml',
        line: 5,
        text: expect.stringContaining('the argument file_path alone'),
      },
    ]);
  });

  test('one that names none forbids on the text of all arguments, and may not allow [P2]', async () => {
    const { rules, notices } = await good(rule(pattern('(\\.env|id_rsa)')));
    expect(rules[0]?.args).toMatchObject({ type: 'json' });
    expect(notices).toMatchObject([{ severity: 'info', line: 5 }]);
    expect(await failure(allowing(pattern('(\\.env|id_rsa)')))).toEqual({
      code: 'policy_invalid',
      file: 'p.toml',
      line: 5,
      problem: expect.stringContaining('cannot be tied to one argument'),
    });
  });

  test('one on a command line allows command by command and forbids either way [P2] [P4]', async () => {
    const shell = (text: string) => text.replace('write_file', 'run_shell_command');
    const allows = await good(shell(allowing(pattern('\\\\0"command":"git'))));
    expect(allows.rules.map(({ args, command }) => [args?.type, command?.type])).toEqual([
      [undefined, 'regex'],
    ]);
    const denies = await good(shell(rule(pattern('"command":"(rm|dd)"'))));
    expect(denies.rules.map(({ args, command }) => [args?.type, command?.type])).toEqual([
      ['argument', undefined],
      [undefined, 'regex'],
    ]);
    expect(allows.notices).toMatchObject([
      { severity: 'info', text: expect.stringContaining('commandRegex') },
    ]);
  });

  test('the file that Gemini CLI saves after "always for this file" allows that file [P2]', async () => {
    const saved = `[[rule]]
decision = "allow"
priority = 950
toolName = "write_file"
argsPattern = "\\\\\\\\0\\\\\\"file_path\\\\\\":\\\\\\"src/a\\\\.ts\\\\\\"\\\\\\\\0"
modes = [ "default", "autoEdit", "yolo" ]
`;
    const { policy } = await loaded([{ file: 'auto-saved.toml', tier: 'user', text: saved }]);
    expect(policy.judge(subject({ file_path: 'src/a.ts' })).decision).toBe('allow');
    expect(policy.judge(subject({ file_path: 'src/b.ts' })).decision).toBe('ask_user');
    expect(policy.judge(subject({ file_path: 'src/a.ts.x' })).decision).toBe('ask_user');
    expect(policy.judge(subject({ file_path: 'x', y: { file_path: 'src/a.ts' } })).decision).toBe('ask_user');
  });
});

describe('what is wrong stops the load, with file and line', () => {
  test('text that is not TOML [P2]', async () => {
    expect(await failure(`${rule()}\n[[rule]\n`)).toMatchObject({
      code: 'policy_invalid',
      file: 'p.toml',
      line: 5,
    });
    expect(await failure('[[rule]]\nname = "a')).toMatchObject({ line: 2 });
    expect(await failure('[rule]\nname = "a"')).toMatchObject({
      line: 1,
      problem: expect.stringContaining('[[rule]]'),
    });
    expect(await failure('a = 1\n__proto__ = 2')).toMatchObject({ line: 2 });
  });

  test('a value of the wrong kind or beyond its range [P2]', async () => {
    const wrong = [
      ['decision = "perhaps"', /decision/],
      ['priority = 1000', /0 to 999/],
      ['priority = -1', /0 to 999/],
      ['priority = 1.5', /0 to 999/],
      ['priority = "1"', /0 to 999/],
      ['modes = ["manual", "sometimes"]', /modes/],
      ['modes = "manual"', /modes/],
      ['toolName = ""', /toolName/],
      ['toolName = []', /toolName/],
      ['toolName = ["a", 1]', /toolName/],
      ['mcpName = ""', /mcpName/],
      ['interactive = "yes"', /true or false/],
      ['toolAnnotations = { at = 2020-01-01 }', /toolAnnotations/],
      ['toolAnnotations = [1]', /toolAnnotations/],
      ['argsPattern = 1', /argsPattern/],
      ['argsPattern = "("', /argsPattern.*regular expression/],
      ['argsPattern = "(?!x)"', /look-ahead/],
      ['commandPrefix = ""', /commandPrefix/],
      ['commandRegex = "a)(b"', /commandRegex/],
      ['denyMessage = 1', /denyMessage/],
      ['matches = ["text"]', /inline tables/],
    ] as const;
    for (const [line, problem] of wrong) {
      const key = line.split(' ')[0] ?? '';
      const others = ['[[rule]]', 'toolName = "x"', 'decision = "deny"', 'priority = 1'].filter(
        (each) => !each.startsWith(`${key} `),
      );
      const found = await failure([...others, line].join('\n'));
      expect(found, `for ${line}`).toMatchObject({ file: 'p.toml', line: others.length + 1 });
      expect(found.problem, `for ${line}`).toMatch(problem);
    }
  });

  test('a missing decision or priority, at the head of its rule [P2]', async () => {
    expect(await failure(`${rule()}\n[[rule]]\ntoolName = "x"\npriority = 1`)).toMatchObject({
      line: 5,
      problem: expect.stringContaining('decision'),
    });
    expect(await failure('[[rule]]\ntoolName = "x"\ndecision = "deny"')).toMatchObject({
      line: 1,
      problem: expect.stringContaining('priority'),
    });
  });

  test('two conditions that exclude each other [P2]', async () => {
    const both = ['commandPrefix = "a"', 'commandRegex = "b"'];
    const found = await failure(rule(...both).replace('write_file', 'run_shell_command'));
    expect(found).toMatchObject({
      line: 6,
      problem: 'commandPrefix and commandRegex cannot be used in one rule',
    });
    expect(await failure(rule('argsPattern = "b"', 'commandExact = "a"'))).toMatchObject({ line: 6 });
  });

  test('an example that the rule contradicts, which is named [P2]', async () => {
    const source = `argsPattern = '"file_path":"src/'`;
    const examples = (matches: string, notMatches: string) =>
      allowing(source, `matches = [${matches}]`, `notMatches = [${notMatches}]`);
    const right = await onlyRule(
      examples('{ file_path = "src/a" }', '{ file_path = "a/src/" }, { x = { file_path = "src/a" } }'),
    );
    expect(right.examples?.matches).toEqual([{ file_path: 'src/a' }]);
    expect(await failure(examples('{ file_path = "a" }', ''))).toMatchObject({
      line: 6,
      problem: 'the rule does not match its example {"file_path":"a"}',
    });
    expect(await failure(examples('', '{ file_path = "src/b" }'))).toMatchObject({
      line: 7,
      problem: 'the rule matches {"file_path":"src/b"}, which its notMatches lists',
    });
  });

  test('an allowing commandRegex that would hang other engines, while one that forbids counts [P2] [P3]', async () => {
    const shell = (source: string) =>
      allowing(`commandRegex = '${source}'`).replace(/toolName = .*/, 'toolName = "run_shell_command"');
    for (const source of ['^(a+)+$', '([a-z]+)*', String.raw`x(?:\w*)+`, '(x+x+)+y', '(.*){2,}']) {
      expect(await failure(shell(source))).toMatchObject({
        problem: expect.stringContaining('nests repetitions'),
      });
      expect((await onlyRule(shell(source).replace('allow', 'deny'))).command).toMatchObject({
        type: 'regex',
      });
    }
    for (const source of ['ls( -[a-z]+)*', '(a|b)+', '(ab+)+', String.raw`\(a+\)+`])
      expect((await onlyRule(shell(source))).command).toMatchObject({ type: 'regex' });
  });

  test('examples of command rules are command lines, checked at load [P2]', async () => {
    const shell = rule('commandPrefix = "git"', 'matches = ["git log"]', 'notMatches = ["gitk"]').replace(
      'write_file',
      'run_shell_command',
    );
    expect((await onlyRule(shell)).examples).toEqual({ matches: ['git log'], notMatches: ['gitk'] });
    expect(await failure(shell.replace('["git log"]', '[{ command = "git" }]'))).toMatchObject({ line: 6 });
    expect(await failure(shell.replace('"git log"', '"git log", "ls"'))).toMatchObject({
      line: 6,
      problem: 'the rule does not match its example "ls"',
    });
    expect(await failure(shell.replace('"gitk"', '"ls; /usr/bin/git push"'))).toMatchObject({
      line: 7,
      problem: 'the rule matches "ls; /usr/bin/git push", which its notMatches lists',
    });
  });
});

describe('what has no effect is reported, with file and line', () => {
  const warnings = async (text: string, known?: KnownTools) =>
    (await good(text, known)).notices
      .filter(({ severity }) => severity === 'warning')
      .map(({ line, text: said }) => [line, said]);

  test('keys and tables that no one knows [P2]', async () => {
    const text = `${rule('toolname = "x"', 'safety_checker = { type = "in-process" }')}
[[rules]]
toolName = "*"
[[safety_checker]]
toolName = "*"
[[safety_checker]]
toolName = "x"
[rule.inner]
a = 1`;
    expect(await warnings(text)).toEqual([
      [7, '"rules" is not known and has no effect. Did you mean [[rule]]?'],
      [9, expect.stringContaining('Safety checkers are not supported')],
      [11, expect.stringContaining('Safety checkers are not supported')],
      [5, 'The key "toolname" is not known and has no effect. Did you mean "toolName"?'],
      [6, expect.stringContaining('Safety checkers are not supported')],
      [13, 'The key "inner" is not known and has no effect.'],
    ]);
  });

  test('conditions on commands for tools that run none [P2]', async () => {
    expect(await warnings(rule('commandPrefix = "git"'))).toEqual([
      [5, expect.stringContaining('can never match')],
    ]);
    expect(await warnings(rule('commandPrefix = "git"').replace('write_file', 'run_*'))).toEqual([]);
  });

  test('a tool name that contradicts its server, and servers in a spelling of old [P2]', async () => {
    const named = (tool: string) => rule('mcpName = "a"').replace('write_file', tool);
    expect(await warnings(named('mcp_b_x'))).toEqual([[2, expect.stringContaining('names another server')]]);
    expect(await warnings(named('mcp_a_x'))).toEqual([]);
    expect(await warnings(named('mcp_*'))).toEqual([]);
    expect(await warnings(rule().replace('write_file', 'a__*'))).toEqual([
      [2, expect.stringContaining('two underscores')],
    ]);
  });

  test('names and patterns of tools that do not exist, unless they may come from servers [P2]', async () => {
    const known = { knownTools: ['write_file', 'read_file'] };
    const named = (tools: string) => rule().replace('"write_file"', tools);
    expect(await warnings(named('["write_file", "write_fil", "zzz", "reed_*", "*_fiel"]'), known)).toEqual([
      [2, 'No tool is called "write_fil", so for it the rule can never match. Did you mean "write_file"?'],
      [2, 'No tool is called "zzz", so for it the rule can never match.'],
      [2, 'No tool is named like "reed_*", so for it the rule can never match.'],
    ]);
    expect(await warnings(named('["read_*", "*", "mcp_a_b", "mcp_*_b", "m*", "*_fiel"]'), known)).toEqual([]);
    expect(await warnings(`${named('"zzz"')}\nmcpName = "a"`, known)).toEqual([]);
    expect(await warnings(named('"zzz"'))).toEqual([]);
  });

  test('an allowing pattern that can mean several servers [P2]', async () => {
    const { notices } = await good(allowing().replace('write_file', 'mcp_a_b_c*'));
    expect(notices).toMatchObject([{ severity: 'info', line: 2, text: expect.stringContaining('mcpName') }]);
    expect((await good(allowing().replace('write_file', 'mcp_a_b_*'))).notices).toEqual([]);
  });
});

describe('loading files', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-policy-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = async (name: string, text: string | Uint8Array) => {
    const file = join(directory, name);
    await writeFile(file, text);
    return file;
  };

  test('rules of all files are in force, each in its tier, and say where they stand [P1] [P2]', async () => {
    const mine = await write('mine.toml', allowing());
    const admin = await write('admin.toml', `\uFEFF# ours\n${rule()}`);
    const { policy } = await loaded([
      { file: admin, tier: 'admin' },
      { file: mine, tier: 'user' },
    ]);
    expect(policy.judge(subject({}))).toMatchObject({
      decision: 'deny',
      rule: { tier: 'admin', file: admin, line: 2 },
    });
    expect((await loaded([{ file: mine, tier: 'user' }])).policy.judge(subject({})).decision).toBe('allow');
  });

  test('one bad or missing file stops all of it [P2]', async () => {
    const fine = { file: await write('fine.toml', rule()), tier: 'user' } as const;
    const bad = { file: await write('bad.toml', '\n[['), tier: 'user' } as const;
    const missing = { file: join(directory, 'missing.toml'), tier: 'user' } as const;
    const binary = {
      file: await write('binary.toml', new Uint8Array([0xff, 0xfe, 0x00])),
      tier: 'user',
    } as const;
    for (const [source, line] of [
      [bad, 2],
      [missing, 1],
      [binary, 1],
    ] as const) {
      expect(await loadPolicy([fine, source])).toMatchObject({
        ok: false,
        failure: { code: 'policy_invalid', file: source.file, line },
      });
    }
  });

  test('the hash names tier, file and text of every source [P1]', async () => {
    const source = { file: 'a', tier: 'user', text: '' } as const;
    const others = [
      [],
      [source, source],
      [{ ...source, file: 'b' }],
      [{ ...source, tier: 'admin' as const }],
      [{ ...source, text: '#' }],
    ];
    const hashes = new Set([[source], ...others].map((sources) => policyHash(sources)));
    expect(hashes.size).toBe(6);
    expect((await loaded([source])).policy.hash).toBe(policyHash([source]));
    expect(policyHash([source])).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the attack that a prefix rule let through elsewhere is asked about [P3]', async () => {
    const text = `[[rule]]
toolName = "run_shell_command"
argsPattern = '"command":"git status'
decision = "allow"
priority = 100`;
    const { policy } = await loaded([{ file: 'p', tier: 'user', text }]);
    const attack = { command: 'touch PWNED', x: { command: 'git status ' } };
    const plan = {
      kind: 'execute',
      resources: [{ kind: 'opaque', why: 'a command' }],
      byDefault: null,
    } as const;
    expect(policy.judge({ ...subject(attack), tool: 'run_shell_command', plan }).decision).toBe('ask_user');
  });
});

async function loaded(sources: Parameters<typeof loadPolicy>[0]) {
  const result = await loadPolicy(sources);
  if (!result.ok) throw new Error(`${result.failure.file}:${result.failure.line}: ${result.failure.problem}`);
  return result;
}

function subject(args: JsonObject, mode: ApprovalMode = 'manual'): Subject {
  return {
    tool: 'write_file',
    args,
    plan: {
      kind: 'edit',
      resources: [{ kind: 'fs.write', path: '/w/a', scope: 'file', place: 'workspace', guarded: null }],
      byDefault: null,
    },
    commands: null,
    mcpServer: null,
    annotations: null,
    origin: 'model',
    mode,
    attended: true,
    subagent: null,
  };
}

test('sessions share a policy as long as its files say the same, and a changed file counts at once [P2]', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-shared-'));
  try {
    const file = join(directory, 'rules.toml');
    const policies = new SharedPolicies();
    const load = async (knownTools = ['write_file']) => {
      const known = { knownTools, aliases: new Map<string, string[]>() };
      const loaded = await policies.load([{ file, tier: 'user' }], known);
      return loaded.ok ? loaded.policy : loaded.failure.problem;
    };
    await writeFile(file, rule());
    const first = await load();
    expect(await load()).toBe(first);
    expect(await load(['write_file', 'other'])).not.toBe(first);
    await writeFile(file, allowing());
    const second = await load();
    expect(second).not.toBe(first);
    await writeFile(file, 'nonsense');
    expect(typeof (await load())).toBe('string');
    await writeFile(file, allowing());
    expect(await load()).toBe(second);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
