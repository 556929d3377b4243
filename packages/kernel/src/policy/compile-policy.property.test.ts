import {
  APPROVAL_MODES,
  type Json,
  KINDS,
  type PolicyDecision,
  type Resource,
  TIERS,
} from '@countersign/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePolicy } from './compile-policy.js';
import type { ArgsCondition, Rule, Subject } from './rule.js';

test('the evaluator says what trying every rule in turn says [P1] [P2] [P3] [P5] [A8]', () => {
  fc.assert(
    fc.property(
      fc.array(rules, { maxLength: 12 }),
      fc.array(subjects, { minLength: 1, maxLength: 4 }),
      (set, calls) => {
        const policy = compilePolicy(set, 'hash');
        for (const call of calls) {
          const { decision } = policy.judge(call);
          expect(decision).toBe(bruteForce(set, call));
          expect(policy.explain(call).verdict.decision).toBe(decision);
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test('no rule and no mode makes a call with an outside path go through unasked [P5]', () => {
  const outside: Resource = { kind: 'fs.read', path: '/o', scope: 'file', place: 'outside', guarded: null };
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 8 }), subjects, (set, call) => {
      const plan = { ...call.plan, resources: [...call.plan.resources, outside] };
      const { decision } = compilePolicy(set, 'hash').judge({ ...call, plan, origin: 'model' });
      expect(decision).not.toBe('allow');
    }),
    { numRuns: 500 },
  );
});

test('a denying rule added above all others is never outvoted [P2]', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 8 }), subjects, (set, call) => {
      const last: Rule = {
        ...BARE,
        tools: ['*'],
        decision: 'deny',
        ref: { ...BARE.ref, tier: 'admin', priority: 999 },
      };
      expect(compilePolicy([...set, last], 'hash').judge(call).decision).toBe('deny');
    }),
    { numRuns: 300 },
  );
});

const BARE: Rule = {
  ref: { name: null, tier: 'user', priority: 0, file: 'f', line: 1 },
  tools: [],
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
};

// Few values for everything, so that rules and calls meet often.
const toolNames = fc.constantFrom('read_file', 'write_file', 'run_tests');
const toolPatterns = fc.constantFrom('read_file', 'write_file', '*', 'w*', '*_file', '????_file', 'run_*');
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const decisions = oneOf<PolicyDecision>('allow', 'ask_user', 'deny');
const values = oneOf<Json>('x', 'y', ['x'], 1, { x: 'x' });
const conditions: fc.Arbitrary<ArgsCondition> = fc.record({
  type: fc.constant('argument' as const),
  key: oneOf('p', 'q', 'command'),
  pattern: oneOf('x', 'y').map((source) => ({ source, test: (text: string) => text.includes(source) })),
});

const rules: fc.Arbitrary<Rule> = fc
  .record({
    tier: oneOf(...TIERS),
    priority: fc.integer({ min: 0, max: 3 }),
    tools: fc.array(toolPatterns, { minLength: 1, maxLength: 2 }),
    decision: decisions,
    args: fc.option(conditions),
    command: fc.option(fc.constant({ type: 'prefix' as const, words: [['rm']] }), { freq: 6 }),
    modes: fc.option(fc.uniqueArray(oneOf(...APPROVAL_MODES), { minLength: 1, maxLength: 3 })),
    interactive: fc.option(fc.boolean(), { freq: 2 }),
    annotations: fc.option(fc.constant({ hint: true }), { freq: 4 }),
    subagent: fc.option(fc.constant('scout'), { freq: 4 }),
  })
  .map(({ tier, priority, ...rest }) => ({ ...BARE, ...rest, ref: { ...BARE.ref, tier, priority } }));

const resources: fc.Arbitrary<Resource> = fc.oneof(
  fc.record({
    kind: oneOf('fs.read' as const, 'fs.write' as const),
    path: fc.constant('/p'),
    scope: fc.constant('file' as const),
    place: oneOf('workspace' as const, 'workspace' as const, 'outside' as const),
    guarded: oneOf(null, null, 'secret'),
  }),
  fc.record({
    kind: fc.constant('net' as const),
    host: fc.constant('h'),
    access: oneOf('read' as const, 'write' as const),
  }),
  fc.constant({ kind: 'opaque' as const, why: 'unknown' }),
);

const subjects: fc.Arbitrary<Subject> = fc.record({
  tool: toolNames,
  args: fc.dictionary(oneOf('p', 'q', 'command'), values, { maxKeys: 3 }),
  plan: fc.record({
    kind: oneOf(...KINDS),
    resources: fc.array(resources, { maxLength: 2 }),
    byDefault: oneOf(null, null, 'allow' as const, 'ask_user' as const),
  }),
  commands: fc.constant(null),
  mcpServer: fc.constant(null),
  annotations: oneOf(null, { hint: true }, { hint: false }),
  origin: oneOf('model' as const, 'person' as const, 'client' as const),
  mode: oneOf(...APPROVAL_MODES),
  attended: fc.boolean(),
  subagent: oneOf(null, 'scout', 'other'),
});

/** The meaning of policy written a second time: slow, flat and without any of the evaluator's parts. */
function bruteForce(set: readonly Rule[], call: Subject): PolicyDecision {
  const met = set.filter((rule) => isMet(rule, call));
  const rank = (rule: Rule) =>
    TIERS.indexOf(rule.ref.tier) * 1e6 +
    rule.ref.priority * 10 +
    ['allow', 'ask_user', 'deny'].indexOf(rule.decision);
  const best = met.reduce<Rule | null>(
    (top, rule) => (top === null || rank(rule) > rank(top) ? rule : top),
    null,
  );

  const { kind, resources: touched, byDefault } = call.plan;
  const files = touched.flatMap((each) =>
    each.kind === 'fs.read' || each.kind === 'fs.write' ? [each] : [],
  );
  const effects =
    ['edit', 'delete', 'move', 'execute'].includes(kind) ||
    touched.some(
      (each) =>
        each.kind === 'fs.write' ||
        each.kind === 'opaque' ||
        (each.kind === 'net' && each.access === 'write'),
    );
  let decision = best?.decision ?? byDefault ?? (effects ? 'ask_user' : 'allow');
  if (decision === 'deny') return 'deny';

  if (
    call.mode === 'plan' &&
    effects &&
    !met.some((rule) => rule.decision === 'allow' && rule.modes?.includes('plan'))
  ) {
    return 'deny';
  }
  if (call.mode === 'yolo') decision = 'allow';
  const ordinaryEdit =
    kind === 'edit' &&
    files.length === touched.length &&
    files.some((each) => each.kind === 'fs.write') &&
    files.every((each) => each.place === 'workspace' && each.guarded === null);
  if (call.mode === 'auto_edit' && ordinaryEdit && (best === null || best.ref.tier === 'default'))
    decision = 'allow';

  const outside = files.some((each) => each.place === 'outside');
  const guardedWrite = files.some((each) => each.kind === 'fs.write' && each.guarded !== null);
  const guardedRead = call.mode !== 'yolo' && files.some((each) => each.guarded !== null);
  if (outside || guardedWrite || guardedRead || call.mode === 'confirm_always') decision = 'ask_user';
  if (decision === 'ask_user' && call.origin === 'person') return 'allow';
  return decision === 'ask_user' && !call.attended ? 'deny' : decision;
}

function isMet(rule: Rule, call: Subject): boolean {
  if (!rule.tools.some((glob) => names(glob, call.tool))) return false;
  if (rule.command !== null) return false;
  if (rule.modes !== null && !rule.modes.includes(call.mode)) return false;
  if (rule.interactive !== null && rule.interactive !== call.attended) return false;
  if (rule.subagent !== null && rule.subagent !== call.subagent) return false;
  if (rule.annotations !== null && call.annotations?.['hint'] !== true) return false;
  if (rule.args?.type !== 'argument') return true;
  const value = Object.entries(call.args).find(
    ([key]) => key === (rule.args?.type === 'argument' ? rule.args.key : ''),
  )?.[1];
  if (value === undefined) return false;
  if (typeof value === 'string') return rule.args.pattern.test(value);
  return rule.decision !== 'allow' && rule.args.pattern.test(JSON.stringify(value));
}

function names(glob: string, tool: string): boolean {
  return new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(tool);
}
