import { buildRule, parsePolicyFile, RULE_KEYS } from '@countersign/engine';
import type { Rule } from '@countersign/kernel';
import { explain } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { PolicyEngine } from './policy-engine.js';
import { type PolicyRule, readPolicyRule } from './policy-rule.js';

type Key = Exclude<(typeof RULE_KEYS)[number], 'allow_redirection' | 'deny_message'>;

/** For each key of the files a rule that has it, as a program and as a file would write it. */
const SAMPLES: { readonly [K in Key]: readonly [PolicyRule & { readonly [P in K]: unknown }, string] } = {
  name: [{ name: 'n', decision: 'deny' }, 'name = "n"'],
  toolName: [{ toolName: ['a', 'b_*'], decision: 'allow' }, 'toolName = ["a", "b_*"]'],
  mcpName: [{ mcpName: 's', decision: 'allow' }, 'mcpName = "s"'],
  argsPattern: [{ argsPattern: '"x":"y', decision: 'allow' }, `argsPattern = '"x":"y'`],
  when: [
    { when: { a: { gt: 1, lte: 5 }, b: 'x', c: ['y', 'z'], d: { matches: 'm.*' } }, decision: 'allow' },
    'when.a.gt = 1\nwhen.a.lte = 5\nwhen.b = "x"\nwhen.c = ["y", "z"]\nwhen.d = { matches = "m.*" }',
  ],
  paths: [{ paths: ['src/**'], decision: 'allow' }, 'paths = ["src/**"]'],
  access: [{ paths: 'src', access: 'write', decision: 'deny' }, 'paths = "src"\naccess = "write"'],
  commandPrefix: [{ commandPrefix: 'git push', decision: 'deny' }, 'commandPrefix = "git push"'],
  commandExact: [{ commandExact: ['ls'], decision: 'allow' }, 'commandExact = ["ls"]'],
  commandRegex: [{ commandRegex: 'git .*', decision: 'deny' }, 'commandRegex = "git .*"'],
  decision: [{ decision: 'ask_user' }, ''],
  priority: [{ decision: 'deny', priority: 7 }, 'priority = 7'],
  modes: [{ modes: ['plan', 'autoEdit'], decision: 'deny' }, 'modes = ["plan", "autoEdit"]'],
  interactive: [{ interactive: false, decision: 'allow' }, 'interactive = false'],
  toolAnnotations: [
    { toolAnnotations: { readOnlyHint: true }, decision: 'allow' },
    'toolAnnotations = { readOnlyHint = true }',
  ],
  allowRedirection: [{ allowRedirection: true, decision: 'allow' }, 'allowRedirection = true'],
  denyMessage: [{ denyMessage: 'No.', decision: 'deny' }, 'denyMessage = "No."'],
  subagent: [{ subagent: 'helper', decision: 'deny' }, 'subagent = "helper"'],
  matches: [{ when: { a: 1 }, matches: [{ a: 1 }], decision: 'deny' }, 'when.a = 1\nmatches = [{ a = 1 }]'],
  notMatches: [
    { when: { a: 1 }, notMatches: [{ a: 2 }], decision: 'deny' },
    'when.a = 1\nnotMatches = [{ a = 2 }]',
  ],
};
const ALIASES = ['allow_redirection', 'deny_message'];

describe('a rule of a program means what the same rule of a file means [P2]', () => {
  test('every key of the files has a sample', () => {
    expect([...Object.keys(SAMPLES), ...ALIASES].toSorted()).toEqual([...RULE_KEYS].toSorted());
  });

  test.each(Object.entries(SAMPLES))('%s', async (_, [given, toml]) => {
    const rest = [
      ...(given.toolName === undefined && given.mcpName === undefined ? ['toolName = "*"'] : []),
      ...(given.priority === undefined ? ['priority = 0'] : []),
    ];
    const text = ['[[rule]]', toml, ...rest, `decision = "${given.decision}"`].join('\n');
    expect(comparable(await ofProgram(given))).toEqual(comparable(await ofFile(text)));
  });
});

async function ofProgram(given: PolicyRule): Promise<readonly Rule[]> {
  const read = readPolicyRule(given, 1, new Map());
  if (read.type === 'ready') return read.rules;
  const built = await buildRule(read.draft, read.given);
  if (!built.ok) throw new Error(built.problem.problem);
  return built.rules;
}

async function ofFile(text: string): Promise<readonly Rule[]> {
  const parsed = await parsePolicyFile(text, { file: 'PolicyEngine', tier: 'user' });
  if (!parsed.ok) throw new Error(explain(parsed.failure).message);
  expect(parsed.notices.filter(({ severity }) => severity === 'warning')).toEqual([]);
  return parsed.rules;
}

/** Patterns by their source, which JSON keeps of them. */
const comparable = (rules: readonly Rule[]): unknown => JSON.parse(JSON.stringify(rules));

describe('tests of arguments in a rule of a program [E2] [P3]', () => {
  const decided = async (rule: PolicyRule, file_path: string) => {
    const engine = new PolicyEngine({ rules: [rule] });
    return (await engine.check({ name: 'write_file', args: { file_path, content: '' } })).decision;
  };

  test.each([
    ['eq', { file_path: { eq: 'only-this.txt' } }],
    ['a value', { file_path: 'only-this.txt' }],
    ['a list', { file_path: ['only-this.txt', 'or-this.txt'] }],
    ['matches', { file_path: { matches: 'only-.*' } }],
  ])('%s limits the rule', async (_, when) => {
    const toolName = 'write_file';
    expect(await decided({ toolName, when, decision: 'allow' }, 'only-this.txt')).toBe('allow');
    expect(await decided({ toolName, when, decision: 'allow' }, 'other.txt')).toBe('ask_user');
    expect(await decided({ toolName, when, decision: 'deny' }, 'only-this.txt')).toBe('deny');
    expect(await decided({ toolName, when, decision: 'deny' }, 'other.txt')).toBe('ask_user');
  });

  test('they count beside a RegExp, and so do its examples', async () => {
    const rule: PolicyRule = {
      toolName: 'write_file',
      argsPattern: /"content":"/,
      when: { file_path: 'a' },
      decision: 'allow',
    };
    expect(await decided(rule, 'a')).toBe('allow');
    expect(await decided(rule, 'b')).toBe('ask_user');
    const engine = new PolicyEngine();
    await expect(
      engine.addRule({ toolName: 't', argsPattern: /"a":"x"/, decision: 'deny', matches: [{ a: 'y' }] }),
    ).rejects.toThrow('does not match its example');
  });

  test('rules that differ in a pattern alone have different hashes', async () => {
    const hash = async (matches: string) => {
      const engine = new PolicyEngine({ defaults: false });
      await engine.addRule({ toolName: 't', when: { a: { matches } }, decision: 'allow' });
      return engine.asPolicy().hash;
    };
    expect(await hash('x')).toBe(await hash('x'));
    expect(await hash('x')).not.toBe(await hash('y'));
  });

  test.each([
    [{ when: {} }, 'names no argument'],
    [{ when: { a: null } }, 'holds null'],
    [{ when: { a: { in: ['x', null] } } }, 'holds null'],
    [{ when: { a: { near: 1 } } }, 'does not know near'],
    [{ toolAnnotations: { readOnlyHint: null } }, 'holds null'],
  ])('what would leave out a condition is refused: %j', async (parts, problem) => {
    const add = async () => new PolicyEngine().addRule({ toolName: 't', decision: 'allow', ...parts });
    await expect(add()).rejects.toThrow(problem);
  });
});
