import type { PolicyDecision, Resource } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { compilePolicy } from './compile-policy.js';
import type { ArgumentTest, PathsCondition, Rule, Subject } from './rule.js';

const rule = (parts: Partial<Rule>): Rule => ({
  ref: { name: null, tier: 'user', priority: 1, file: 'p.toml', line: 1 },
  tools: ['*'],
  mcpServer: null,
  args: null,
  command: null,
  annotations: null,
  decision: 'allow',
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
  ...parts,
});

const file = (kind: 'fs.read' | 'fs.write', path: string, scope: 'file' | 'tree' = 'file'): Resource => ({
  kind,
  path: path.startsWith('/') ? path : `/project/${path}`,
  scope,
  place: 'workspace',
  guarded: null,
});

const subject = (parts: Partial<Subject>): Subject => ({
  tool: 'pay',
  args: {},
  plan: { kind: 'other', resources: [], byDefault: 'ask_user' },
  workspace: '/project',
  commands: null,
  mcpServer: null,
  annotations: null,
  origin: 'model',
  mode: 'manual',
  attended: true,
  subagent: null,
  ...parts,
});

const touching = (...resources: readonly Resource[]): Subject =>
  subject({ plan: { kind: 'other', resources, byDefault: 'ask_user' } });
const applies = (parts: Partial<Rule>, call: Subject): boolean => {
  const { verdict } = compilePolicy([rule(parts)], 'h').explain(call);
  return verdict.rule !== null;
};
const onPaths = (
  decision: PolicyDecision,
  patterns: readonly string[],
  call: Subject,
  access: PathsCondition['access'] = 'any',
) => applies({ decision, paths: { patterns, access } }, call);

describe('paths of a rule [P2]', () => {
  test.each([
    ['src/**', 'src/a.ts', true],
    ['src/**', 'src/deep/er/a.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a.ts', false],
    ['src', 'src/a.ts', true],
    ['src/', 'src/a.ts', true],
    ['./src', 'src/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['**/test/**', 'x/test/y/z', true],
    ['a?.ts', 'ab.ts', true],
    ['/etc/hosts', '/etc/hosts', true],
    ['/project/src/**', 'src/a.ts', true],
    ['etc/hosts', '/etc/hosts', false],
    ['**', 'anything/at/all', true],
    ['**', '/elsewhere', false],
  ])('%s on %s: %s', (pattern, path, expected) => {
    for (const decision of ['allow', 'deny'] as const)
      expect(onPaths(decision, [pattern], touching(file('fs.write', path)))).toBe(expected);
  });

  test('allow only where every file matches and nothing is unknown', () => {
    const inside = file('fs.write', 'src/a.ts');
    const allow = (...resources: readonly Resource[]) => onPaths('allow', ['src/**'], touching(...resources));
    expect(allow(inside, file('fs.write', 'src/b.ts'))).toBe(true);
    expect(allow(inside, file('fs.read', 'other'))).toBe(false);
    expect(allow(inside, { kind: 'opaque', why: 'unknown' })).toBe(false);
    expect(allow()).toBe(false);
  });

  test('deny and ask as soon as one file matches', () => {
    const call = touching(file('fs.read', 'a'), file('fs.write', 'db/schema.sql'));
    for (const decision of ['deny', 'ask_user'] as const) {
      expect(onPaths(decision, ['db/**'], call)).toBe(true);
      expect(onPaths(decision, ['x/**', '**/*.sql'], call)).toBe(true);
      expect(onPaths(decision, ['x/**'], call)).toBe(false);
    }
  });

  test('of a folder that is gone through, allow if all of it matches, deny if any of it may', () => {
    const tree = (path: string) => touching(file('fs.read', path, 'tree'));
    expect(onPaths('allow', ['src/**'], tree('src/deep'))).toBe(true);
    expect(onPaths('allow', ['src/*.ts'], tree('src'))).toBe(false);
    expect(onPaths('allow', ['src/**'], tree('.'))).toBe(false);
    expect(onPaths('deny', ['db/private/**'], tree('db'))).toBe(true);
    expect(onPaths('deny', ['db/private/**'], touching(file('fs.read', '/project', 'tree')))).toBe(true);
    expect(onPaths('deny', ['db/private/**'], tree('src'))).toBe(false);
  });

  test('can be about reading or writing alone', () => {
    const reads = touching(file('fs.read', 'src/a.ts'));
    const writes = touching(file('fs.write', 'src/a.ts'), file('fs.read', 'other'));
    expect(onPaths('deny', ['src/**'], reads, 'write')).toBe(false);
    expect(onPaths('deny', ['src/**'], writes, 'write')).toBe(true);
    expect(onPaths('allow', ['src/**'], writes, 'write')).toBe(true);
    expect(onPaths('allow', ['src/**'], reads, 'read')).toBe(true);
  });

  test('where the workspace is not known, deny and never allow', () => {
    const { workspace: _, ...call } = touching(file('fs.write', '/project/src/a.ts'));
    expect(onPaths('allow', ['src/**'], call)).toBe(false);
    expect(onPaths('deny', ['src/**'], call)).toBe(true);
    expect(onPaths('allow', ['/project/src/**'], call)).toBe(true);
  });

  test('a workspace whose name looks like a pattern is itself', () => {
    const call = { ...touching(file('fs.write', '/w*/src/a')), workspace: '/w*' };
    expect(onPaths('allow', ['src/**'], call)).toBe(true);
    expect(
      onPaths('allow', ['src/**'], { ...touching(file('fs.write', '/project/src/a')), workspace: '/w*' }),
    ).toBe(false);
  });

  test('a hostile pattern does not hang', () => {
    const pattern = `${'**/a*/'.repeat(200)}b`;
    expect(onPaths('deny', [pattern], touching(file('fs.write', 'a/'.repeat(400))))).toBe(false);
  });
});

describe('tests of arguments [P3]', () => {
  const when = (decision: PolicyDecision, test: ArgumentTest, args: Subject['args']) =>
    applies({ decision, when: [test] }, subject({ args }));
  const more = (than: number): ArgumentTest => ({ key: 'amount', type: 'compare', operator: 'gt', than });

  test.each([
    ['gt', 101, true],
    ['gt', 100, false],
    ['gte', 100, true],
    ['lt', 99, true],
    ['lt', 100, false],
    ['lte', 100, true],
  ] as const)('%s 100 on %d: %s', (operator, amount, expected) => {
    const test: ArgumentTest = { key: 'amount', type: 'compare', operator, than: 100 };
    for (const decision of ['allow', 'deny'] as const)
      expect(when(decision, test, { amount })).toBe(expected);
  });

  test('a value of another type is never allowed, and denied all the same', () => {
    for (const amount of ['200', [200], { value: 200 }, true, null]) {
      expect(when('allow', more(100), { amount })).toBe(false);
      expect(when('deny', more(100), { amount })).toBe(true);
      expect(when('ask_user', more(100), { amount })).toBe(true);
    }
    expect(when('allow', more(100), {})).toBe(false);
    expect(when('deny', more(100), {})).toBe(false);
  });

  test('nested arguments do not count as the argument', () => {
    expect(when('allow', more(100), { other: { amount: 200 } })).toBe(false);
    expect(when('deny', more(100), { other: { amount: 200 } })).toBe(false);
  });

  test('values are compared as values', () => {
    const is: ArgumentTest = { key: 'to', type: 'oneOf', values: ['main', { a: [1, 2] }], isIn: true };
    const isNot: ArgumentTest = { ...is, isIn: false };
    expect(when('allow', is, { to: 'main' })).toBe(true);
    expect(when('allow', is, { to: { a: [1, 2] } })).toBe(true);
    expect(when('allow', is, { to: ['main'] })).toBe(false);
    expect(when('deny', is, { to: ['x', 'main'] })).toBe(true);
    expect(when('allow', isNot, { to: 'next' })).toBe(true);
    expect(when('allow', isNot, {})).toBe(false);
    expect(when('deny', isNot, {})).toBe(true);
    expect(when('deny', isNot, { to: 'main' })).toBe(false);
  });

  test.each([
    [['eve'], ['adam', 'adam@x'], [['eve'], ['adam'], { x: 'eve' }, null, 5, true]],
    [['eve', 'mallory'], ['adam'], [['mallory'], { to: 'eve' }, null, 0, false]],
    [[5], [6, 0], ['5', [5], { value: 5 }, null, true]],
    [[true], [false], ['true', 1, [true], null]],
    [
      ['eve', 5],
      ['adam', 6],
      [['eve'], null, true],
    ],
    [[['eve']], [], ['eve', ['adam'], ['eve', 'adam'], null]],
    [[], [], ['adam', 5]],
  ])('none of %j allows a value of the same type alone, and denies another type', (values, same, other) => {
    const isNot: ArgumentTest = { key: 'to', type: 'oneOf', values, isIn: false };
    for (const to of same) expect([to, when('allow', isNot, { to })]).toEqual([to, true]);
    for (const to of other) {
      expect([to, when('allow', isNot, { to })]).toEqual([to, false]);
      expect([to, when('deny', isNot, { to })]).toEqual([to, true]);
      expect([to, when('ask_user', isNot, { to })]).toEqual([to, true]);
    }
    for (const to of values) expect(when('deny', isNot, { to })).toBe(false);
  });

  test('an argument can have to be there, or not', () => {
    const exists = (is: boolean): ArgumentTest => ({ key: 'force', type: 'exists', exists: is });
    expect(when('deny', exists(true), { force: false })).toBe(true);
    expect(when('deny', exists(true), {})).toBe(false);
    expect(when('allow', exists(false), {})).toBe(true);
  });

  test('all tests of a rule have to hold', () => {
    const tests = [more(10), { key: 'amount', type: 'compare', operator: 'lte', than: 20 } as const];
    expect(applies({ when: tests }, subject({ args: { amount: 15 } }))).toBe(true);
    expect(applies({ when: tests }, subject({ args: { amount: 25 } }))).toBe(false);
  });
});
