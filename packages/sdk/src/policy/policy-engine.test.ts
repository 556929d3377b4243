import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subject } from '@countersign/kernel';
import { afterAll, expect, test } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../types/enums.js';
import { PolicyEngine, type PolicyEngineOptions, type PolicyRule } from './policy-engine.js';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-policy-')));
afterAll(() => rmSync(workspace, { recursive: true }));

const engineWith = (rules: readonly PolicyRule[] = [], options: PolicyEngineOptions = {}) =>
  new PolicyEngine({ rules, workspace, ...options });
const decision = async (engine: PolicyEngine, name: string, args = {}) =>
  (await engine.check({ name, args })).decision;

const subject = (tool: string, changes: Partial<Subject> = {}): Subject => ({
  tool,
  args: {},
  plan: { kind: 'execute', resources: [], byDefault: null },
  commands: null,
  mcpServer: null,
  annotations: null,
  origin: 'model',
  mode: 'manual',
  attended: true,
  subagent: null,
  ...changes,
});

test('the shipped rules apply unless they are skipped [E2] [P2]', async () => {
  expect(await decision(engineWith(), 'read_file', { file_path: 'a' })).toBe('allow');
  expect(await decision(engineWith(), 'write_file', { file_path: 'a', content: '' })).toBe('ask_user');
  expect(await engineWith().check({ name: 'read_file', args: { file_path: 'a' } })).toMatchObject({
    decision: 'allow',
    rule: { name: 'reading', decision: 'allow', priority: 50 },
    reason: expect.stringContaining('default-policy.toml'),
  });
  const bare = await engineWith([], { defaults: false }).check({ name: 'web_fetch' });
  expect(bare.rule).toBeUndefined();
});

test("a program's rules come before the shipped ones, the highest priority first, of equals the strictest [P2]", async () => {
  const rules: PolicyRule[] = [
    { toolName: 'write_file', decision: PolicyDecision.ALLOW },
    { toolName: 'deploy', decision: PolicyDecision.ALLOW, priority: 4.95 },
    { toolName: 'deploy', decision: PolicyDecision.DENY, priority: 4.2 },
    { toolName: ['a', 'b_*'], decision: 'allow', priority: 1 },
    { toolName: 'b_c', decision: 'deny', priority: 1 },
  ];
  const engine = engineWith(rules);
  expect(await decision(engine, 'write_file', { file_path: 'a', content: '' })).toBe('allow');
  expect(await decision(engine, 'deploy')).toBe('allow');
  expect(await decision(engine, 'a')).toBe('allow');
  expect(await decision(engine, 'b_d')).toBe('allow');
  expect(await decision(engine, 'b_c')).toBe('deny');
  expect((await engine.check({ name: 'deploy' })).rule).toBe(rules[1]);
});

test('a tool that no rule names asks, since nothing is known of it; defaultDecision overrides that [E2]', async () => {
  expect(await decision(engineWith(), 'deploy')).toBe('ask_user');
  expect(await decision(engineWith([], { defaultDecision: 'allow' }), 'deploy')).toBe('allow');
  expect(await decision(engineWith([], { defaultDecision: 'deny' }), 'deploy')).toBe('deny');
  expect(await decision(engineWith([{ decision: 'deny' }], { defaultDecision: 'allow' }), 'deploy')).toBe(
    'deny',
  );
});

test('modes and guards count as in a session [P1] [P5]', async () => {
  const engine = engineWith();
  const inMode = async (mode: ApprovalMode, name: string, file_path: string) => {
    engine.setApprovalMode(mode);
    return decision(engine, name, name === 'write_file' ? { file_path, content: '' } : { file_path });
  };
  expect(await inMode('auto_edit', 'write_file', 'a.txt')).toBe('allow');
  expect(await inMode('auto_edit', 'write_file', '.env')).toBe('ask_user');
  expect(await inMode('yolo', 'write_file', 'a.txt')).toBe('allow');
  expect(await inMode('yolo', 'write_file', '/etc/hosts')).toBe('ask_user');
  expect(await inMode('plan', 'write_file', 'a.txt')).toBe('deny');
  expect(await inMode('plan', 'read_file', 'a.txt')).toBe('allow');
  expect(await inMode('confirm_always', 'read_file', 'a.txt')).toBe('ask_user');
});

test('a rule can match modes, attendance and an MCP server [P2]', async () => {
  const rules: PolicyRule[] = [
    { toolName: 'a', decision: 'allow', modes: ['autoEdit'] },
    { toolName: 'b', decision: 'allow', interactive: false },
    { mcpName: 's', decision: 'allow' },
    { toolName: 'c', decision: 'allow', toolAnnotations: { readOnlyHint: true } },
    { toolName: 'd', decision: 'allow', subagent: 'helper' },
  ];
  expect(await decision(engineWith(rules), 'a')).toBe('ask_user');
  expect(await decision(engineWith(rules, { approvalMode: 'auto_edit' }), 'a')).toBe('allow');
  expect(await decision(engineWith(rules, { interactive: false }), 'b')).toBe('allow');
  expect(await decision(engineWith(rules, { interactive: false }), 'other')).toBe('deny');
  const engine = engineWith(rules);
  expect((await engine.check({ name: 'mcp_s_x' }, 's')).decision).toBe('allow');
  expect((await engine.check({ name: 'mcp_t_x' }, 't')).decision).toBe('ask_user');
  expect((await engine.check({ name: 'c' }, undefined, { readOnlyHint: true })).decision).toBe('allow');
  expect((await engine.check({ name: 'd' }, undefined, undefined, 'helper')).decision).toBe('allow');
});

test('a pattern matches one typed argument, as text and as RegExp alike [P3]', async () => {
  for (const argsPattern of ['"dir":"src/', /"dir":"src\//, /"dir":"src\//g]) {
    const engine = engineWith([{ toolName: 'deploy', argsPattern, decision: 'allow' }]);
    expect(await decision(engine, 'deploy', { dir: 'src/a' })).toBe('allow');
    expect(await decision(engine, 'deploy', { dir: 'src/a' })).toBe('allow');
    expect(await decision(engine, 'deploy', { dir: 'lib/src/a' })).toBe('ask_user');
    expect(await decision(engine, 'deploy', { x: { dir: 'src/a' } })).toBe('ask_user');
    expect(await decision(engine, 'deploy', { x: '"dir":"src/' })).toBe('ask_user');
  }
});

test('a RegExp that only forbids may look at all arguments, in its own flags [P3]', async () => {
  const engine = engineWith([{ toolName: 'deploy', argsPattern: /PROD(?!uct)/i, decision: 'deny' }]);
  expect(await decision(engine, 'deploy', { to: { place: ['prod'] } })).toBe('deny');
  expect(await decision(engine, 'deploy', { to: 'product' })).toBe('ask_user');
});

test('a pattern that allows but names no argument is refused [P2]', async () => {
  expect(() => engineWith([{ toolName: 'deploy', argsPattern: /eu/, decision: 'allow' }])).toThrow(
    'PolicyEngine:1: argsPattern cannot be tied to one argument',
  );
  const engine = engineWith([{ toolName: 'deploy', argsPattern: 'eu', decision: 'allow' }]);
  await expect(engine.ready()).rejects.toThrow('PolicyEngine:1: argsPattern cannot be tied to one argument');
});

test('patterns about a command mean the command line and each command in it [P4]', async () => {
  const deny = engineWith([
    { toolName: 'run_shell_command', argsPattern: /"command":"rm /, decision: 'deny' },
  ]);
  expect(await decision(deny, 'run_shell_command', { command: 'rm -r x' })).toBe('deny');
  const allow = engineWith([
    { toolName: 'run_shell_command', argsPattern: /"command":"git log/, decision: 'allow' },
  ]);
  expect(await decision(allow, 'run_shell_command', { command: 'git log; rm -r x' })).toBe('ask_user');
});

test.each<[string, PolicyRule, string]>([
  [
    'an unknown key',
    JSON.parse('{"toolName":"a","decision":"allow","argPattern":"x"}'),
    'the key "argPattern" is not known; did you mean "argsPattern"?',
  ],
  [
    'a decision that is none',
    JSON.parse('{"toolName":"a","decision":"maybe"}'),
    'decision must be "allow", "ask_user" or "deny"',
  ],
  [
    'a mode that is none',
    JSON.parse('{"toolName":"a","decision":"deny","modes":["loud"]}'),
    'modes must be a list of modes',
  ],
  [
    'a priority that is not a number',
    { toolName: 'a', decision: 'deny', priority: Number.NaN },
    'priority must be a number',
  ],
  [
    'two conditions',
    { toolName: 'a', decision: 'deny', argsPattern: /x/, commandPrefix: 'ls' },
    'argsPattern cannot be combined',
  ],
])('%s stops the program at once, with the rule named [P2]', (_, rule, problem) => {
  expect(() => engineWith([{ decision: 'deny', toolName: 'ok' }, rule])).toThrow(
    `PolicyEngine:2: ${problem}`,
  );
  expect(() => engineWith().addRule({ ...rule, source: 'mine' })).toThrow(`mine:1: ${problem}`);
});

test('a regular expression that cannot be used is reported by ready(), and its tools stay stopped [P2]', async () => {
  const engine = engineWith([{ toolName: 'deploy', argsPattern: '"to":"(', decision: 'deny' }]);
  await expect(engine.ready()).rejects.toThrow('argsPattern is not a usable regular expression');
  await expect(engine.check({ name: 'other' })).rejects.toThrow('argsPattern');
  expect(engine.asPolicy().judge(subject('deploy')).decision).toBe('deny');
  expect(engine.removeRulesForTool('deploy')).toBe(1);
  expect(await decision(engine, 'deploy')).toBe('ask_user');
});

test('examples are checked when a rule is added [P2]', async () => {
  const rule: PolicyRule = {
    toolName: 'deploy',
    argsPattern: '"to":"eu"',
    decision: 'allow',
    matches: [{ to: 'eu' }],
    notMatches: [{ to: 'us' }],
  };
  await engineWith([rule]).ready();
  await expect(engineWith([{ ...rule, matches: [{ to: 'us' }] }]).ready()).rejects.toThrow(
    'does not match its example',
  );
});

test('a rule that is added counts at once in a policy in use [E2]', async () => {
  const engine = engineWith();
  await engine.ready();
  const policy = engine.asPolicy();
  const { hash } = policy;
  expect(policy.judge(subject('deploy')).decision).toBe('ask_user');
  void engine.addRule({ toolName: 'deploy', decision: 'deny' });
  expect(policy.judge(subject('deploy')).decision).toBe('deny');
  expect(policy.deniesOutright('deploy', 'manual')).toBe(true);
  expect(policy.hash).not.toBe(hash);
  expect(engine.removeRulesForTool('deploy')).toBe(1);
  expect(policy.judge(subject('deploy')).decision).toBe('ask_user');
  expect(policy.hash).toBe(hash);
});

test('until its pattern is compiled, a rule that forbids does so for all, and one that allows for none [P2]', async () => {
  const engine = engineWith();
  await engine.ready();
  const policy = engine.asPolicy();
  const forbids = engine.addRule({ toolName: 'deploy', argsPattern: '"to":"us"', decision: 'deny' });
  const allows = engine.addRule({ toolName: 'count', argsPattern: '"to":"eu"', decision: 'allow' });
  expect(policy.judge(subject('deploy', { args: { to: 'eu' } })).decision).toBe('deny');
  expect(policy.judge(subject('count', { args: { to: 'eu' } })).decision).toBe('ask_user');
  await Promise.all([forbids, allows]);
  expect(policy.judge(subject('deploy', { args: { to: 'eu' } })).decision).toBe('ask_user');
  expect(policy.judge(subject('deploy', { args: { to: 'us' } })).decision).toBe('deny');
  expect(policy.judge(subject('count', { args: { to: 'eu' } })).decision).toBe('allow');
});

test('before the shipped rules are loaded, no decision is more permissive than with them', async () => {
  const engine = engineWith();
  const reading = subject('read_file', { plan: { kind: 'read', resources: [], byDefault: null } });
  expect(engine.asPolicy().judge(reading).decision).toBe('ask_user');
  await engine.ready();
  expect(engine.asPolicy().judge(reading).decision).toBe('allow');
});

test("a rule for another spelling of a built-in tool's name means that tool, and a program's own of that name [P2]", async () => {
  const engine = engineWith([{ toolName: 'cat', decision: 'deny' }]);
  expect(await decision(engine, 'read_file', { file_path: 'a' })).toBe('deny');
  expect(await decision(engine, 'cat', { path: 'a' })).toBe('deny');
  expect(engine.asPolicy().judge(subject('cat')).decision).toBe('deny');
});

test('explain lists the rules considered and why each matched or not [P7]', async () => {
  const engine = engineWith([
    { name: 'elsewhere', toolName: 'deploy', argsPattern: /"to":"us/, decision: 'allow', priority: 2 },
    { name: 'here', toolName: 'deploy', decision: 'deny', denyMessage: 'Not today.', priority: 1 },
  ]);
  expect(await engine.explain({ name: 'deploy', args: { to: 'eu' } })).toMatchObject({
    decision: 'deny',
    reason: 'Not today.',
    rule: { name: 'here' },
    trace: [
      { rule: { name: 'elsewhere' }, met: false, why: 'The arguments do not match.' },
      { rule: { name: 'here' }, met: true },
    ],
  });
  expect(engine.getRules().map(({ name }) => name)).toEqual(['elsewhere', 'here']);
});

test('a call without a name or arguments is judged too', async () => {
  expect((await engineWith().check({})).decision).toBe('ask_user');
  expect(ApprovalMode.DEFAULT).toBe(engineWith().getApprovalMode());
});

test('a rule by a shared name holds for every tool that answers to it [E2] [P2] [T3]', async () => {
  const part = { file_path: 'a', old_string: '', new_string: 'x' };
  for (const toolName of ['edit', ['edit'], 'e*t']) {
    const denying = engineWith([{ toolName, decision: 'deny' }], { approvalMode: 'yolo' });
    expect(await decision(denying, 'edit', part)).toBe('deny');
    expect(await decision(denying, 'replace', part)).toBe('deny');
    expect(await decision(denying, 'write_file', { file_path: 'a', content: '' })).toBe('deny');
    expect(denying.asPolicy().deniesOutright('replace', 'yolo')).toBe(true);
  }
  const allowing = engineWith([{ toolName: 'edit', decision: 'allow' }]);
  expect(await decision(allowing, 'replace', part)).toBe('allow');
  expect(await decision(allowing, 'write_file', { file_path: 'a', content: '' })).toBe('allow');
});
