import { APPROVAL_MODES, type Resource } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { compilePolicy } from './compile-policy.js';
import type { Pattern, Rule, Subject } from './rule.js';

const pattern = (source: string): Pattern => ({ source, test: (text) => new RegExp(source).test(text) });

type RuleParts = Omit<Partial<Rule>, 'ref'> & Partial<Rule['ref']>;
const rule = ({
  name = null,
  tier = 'user',
  priority = 100,
  file = 'rules.toml',
  line = 1,
  ...parts
}: RuleParts): Rule => ({
  ref: { name, tier, priority, file, line },
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

const subject = (parts: Partial<Subject> = {}): Subject => ({
  tool: 'write_file',
  args: { file_path: 'src/a.ts' },
  plan: { kind: 'edit', resources: [file('fs.write', 'src/a.ts')], byDefault: null },
  commands: null,
  mcpServer: null,
  annotations: null,
  origin: 'model',
  mode: 'manual',
  attended: true,
  subagent: null,
  ...parts,
});

const file = (
  kind: 'fs.read' | 'fs.write',
  path: string,
  parts: { readonly place?: 'workspace' | 'outside'; readonly guarded?: string } = {},
): Resource => ({
  kind,
  path,
  scope: 'file',
  place: parts.place ?? 'workspace',
  guarded: parts.guarded ?? null,
});

const reading = (resources: readonly Resource[] = [file('fs.read', 'a.ts')]): Partial<Subject> => ({
  tool: 'read_file',
  args: { file_path: 'a.ts' },
  plan: { kind: 'read', resources, byDefault: null },
});
const policy = (...rules: RuleParts[]) => compilePolicy(rules.map(rule), 'hash');
const decide = (parts: Partial<Subject>, ...rules: RuleParts[]) =>
  policy(...rules).judge(subject(parts)).decision;

describe('which rule decides', () => {
  test('a higher tier beats any priority below it [P2]', () => {
    const rules: RuleParts[] = [
      { tier: 'default', priority: 999, decision: 'deny' },
      { tier: 'extension', priority: 999, decision: 'deny' },
      { tier: 'workspace', priority: 999, decision: 'deny' },
      { tier: 'user', priority: 999, decision: 'deny' },
      { tier: 'admin', priority: 0, decision: 'allow' },
    ];
    for (let count = 5; count > 1; count--) {
      const kept = rules.slice(0, count).map((each, index) => ({ ...each, line: index + 1 }));
      expect(policy(...kept).judge(subject()).rule?.line).toBe(count);
      expect(policy(...kept.toReversed()).judge(subject()).rule?.line).toBe(count);
    }
  });

  test('within a tier the higher priority wins, and of equals the strictest [P2]', () => {
    expect(decide({}, { priority: 1, decision: 'deny' }, { priority: 2 })).toBe('allow');
    expect(decide({}, { decision: 'allow' }, { decision: 'ask_user' })).toBe('ask_user');
    expect(decide({}, { decision: 'ask_user' }, { decision: 'allow' }, { decision: 'deny' })).toBe('deny');
  });

  test('the verdict names rule, file, line and the argument that matched [P1]', () => {
    const args = { type: 'argument', key: 'file_path', pattern: pattern('^src/') } as const;
    const verdict = policy({ name: 'sources', file: 'mine.toml', line: 7, args, decision: 'ask_user' }).judge(
      subject(),
    );
    expect(verdict).toEqual({
      decision: 'ask_user',
      rule: { name: 'sources', tier: 'user', priority: 100, file: 'mine.toml', line: 7 },
      reason: 'Rule "sources" (mine.toml:7) asks about this call because of its file_path.',
      matched: 'file_path',
      because: 'rule',
    });
  });

  test('the message of a denying rule is the reason [P2]', () => {
    expect(policy({ decision: 'deny', denyMessage: 'Ask the owner.' }).judge(subject()).reason).toBe(
      'Ask the owner.',
    );
  });

  test('modes, attendance, annotations and agent must all fit [P2]', () => {
    const fits = {
      modes: ['manual'],
      interactive: true,
      annotations: { hint: { a: [1] } },
      subagent: 'scout',
    } as const;
    const call = { annotations: { other: 1, hint: { a: [1] } }, subagent: 'scout' };
    const deny = { decision: 'deny' } as const;
    expect(decide(call, { ...deny, ...fits })).toBe('deny');
    expect(decide({ ...call, mode: 'auto_edit' }, { ...deny, ...fits })).toBe('allow');
    expect(decide(call, { ...deny, ...fits, interactive: false })).toBe('ask_user');
    expect(decide({ ...call, subagent: null }, { ...deny, ...fits })).toBe('ask_user');
    expect(decide({ ...call, annotations: { hint: { a: [2] } } }, { ...deny, ...fits })).toBe('ask_user');
    expect(decide({ ...call, annotations: null }, { ...deny, ...fits })).toBe('ask_user');
  });

  test('an inherited property is no annotation [P3]', () => {
    expect(decide({ annotations: {} }, { decision: 'deny', annotations: { toString: 'x' } })).toBe(
      'ask_user',
    );
  });

  test('the rules of one MCP server do not touch another with a longer name [P2]', () => {
    const call = (server: string) => ({
      tool: `mcp_${server}_read`,
      mcpServer: server,
      plan: { kind: 'other', resources: [], byDefault: null } as const,
    });
    const rules = { tools: ['mcp_a_*'], decision: 'deny' } as const;
    const judged = policy(rules);
    expect(judged.judge(subject(call('a'))).decision).toBe('deny');
    expect(judged.judge(subject(call('a_b'))).decision).toBe('allow');
  });

  test('the same full name from two servers is two tools [P2]', () => {
    const judged = policy({ tools: ['read'], mcpServer: 'a', decision: 'deny' });
    const from = (server: string) => {
      const resources = [{ kind: 'mcp', server, tool: 'read', access: 'read' }] as const;
      return subject({
        tool: 'mcp_x',
        mcpServer: server,
        plan: { kind: 'other', resources, byDefault: null },
      });
    };
    expect(['a', 'b', 'a', 'b'].map((server) => judged.judge(from(server)).decision)).toEqual([
      'deny',
      'allow',
      'deny',
      'allow',
    ]);
  });

  test('the own name of an MCP tool is taken from its plan [P2]', () => {
    const mcp = { kind: 'mcp', server: 'a', tool: 'drop', access: 'read' } as const;
    const call = {
      tool: 'mcp_a_dr...op',
      mcpServer: 'a',
      plan: { kind: 'other', resources: [mcp], byDefault: null },
    } as const;
    expect(decide(call, { tools: ['drop'], mcpServer: 'a', decision: 'deny' })).toBe('deny');
  });
});

describe('arguments', () => {
  const allowsSources = { args: { type: 'argument', key: 'file_path', pattern: pattern('^src/') } } as const;
  const deniesSecrets = {
    decision: 'deny',
    args: { type: 'argument', key: 'file_path', pattern: pattern('secret') },
  } as const;

  test('a nested property does not pose as an argument [P3]', () => {
    // The attack: what is asked for at the top, what is allowed one level down.
    const attack = { command: 'touch PWNED', x: { command: 'git status ' } };
    const allowsStatus = {
      args: { type: 'argument', key: 'command', pattern: pattern('^git status ') },
    } as const;
    const call = { tool: 'run_query', plan: { kind: 'execute', resources: [], byDefault: null } } as const;
    expect(decide({ ...call, args: attack }, allowsStatus)).toBe('ask_user');
    expect(decide({ ...call, args: { command: 'git status -s' } }, allowsStatus)).toBe('allow');
  });

  test('neither an inherited property nor one called like the prototype poses as an argument [P3]', () => {
    const inherited = Object.create({ file_path: 'src/a.ts' });
    expect(decide({ args: inherited }, allowsSources)).toBe('ask_user');
    const parsed = JSON.parse('{"__proto__":{"file_path":"src/a.ts"}}');
    expect(decide({ args: parsed }, allowsSources)).toBe('ask_user');
    const keyed = { args: { type: 'argument', key: 'constructor', pattern: pattern('') } } as const;
    expect(decide({ args: {} }, keyed)).toBe('ask_user');
  });

  test('only a string is allowed by a pattern; what is denied as text is denied in a list too [P3]', () => {
    const lookalike = { toString: 'src/a.ts' };
    for (const value of [['src/a.ts'], lookalike, 1, true, null]) {
      expect(
        decide({ args: { file_path: value } }, { args: { ...allowsSources.args, pattern: pattern('') } }),
      ).toBe('ask_user');
    }
    expect(decide({ args: { file_path: ['my-secret'] } }, deniesSecrets)).toBe('deny');
    expect(decide({ args: { file_path: { at: 'my-secret' } } }, deniesSecrets)).toBe('deny');
    expect(decide({ args: { other: 'my-secret' } }, deniesSecrets)).toBe('ask_user');
  });

  test('a pattern on all arguments forbids on either spelling of them, and never allows [P2]', () => {
    const on = (source: string, decision: 'allow' | 'deny') =>
      decide({ args: { b: 2, a: '1' } }, { decision, args: { type: 'json', pattern: pattern(source) } });
    expect(on('^\\{"a":"1","b":2\\}$', 'deny')).toBe('deny');
    expect(on('\\0"a":"1"\\0', 'deny')).toBe('deny');
    expect(on('\\0"a":"2"\\0', 'deny')).toBe('ask_user');
    expect(on('', 'allow')).toBe('ask_user');
  });
});

describe('where no rule matches', () => {
  test('the tool itself is asked first [P1]', () => {
    const plan = subject().plan;
    expect(decide({ plan: { ...plan, byDefault: 'allow' } })).toBe('allow');
    expect(decide({ ...reading(), plan: { kind: 'read', resources: [], byDefault: 'ask_user' } })).toBe(
      'ask_user',
    );
  });

  test('what has an effect asks, what has none is allowed [P1]', () => {
    const by = (kind: Subject['plan']['kind'], ...resources: Resource[]) =>
      decide({ plan: { kind, resources, byDefault: null } });
    for (const kind of ['edit', 'delete', 'move', 'execute'] as const) expect(by(kind)).toBe('ask_user');
    for (const kind of ['read', 'search', 'think', 'fetch', 'communicate', 'plan', 'other'] as const) {
      expect(by(kind)).toBe('allow');
      expect(by(kind, file('fs.read', 'a'))).toBe('allow');
      expect(by(kind, { kind: 'net', host: 'h', access: 'read' })).toBe('allow');
      expect(by(kind, file('fs.write', 'a'))).toBe('ask_user');
      expect(by(kind, { kind: 'net', host: 'h', access: 'write' })).toBe('ask_user');
      expect(by(kind, { kind: 'mcp', server: 's', tool: 't', access: 'write' })).toBe('ask_user');
      expect(by(kind, { kind: 'opaque', why: 'unknown' })).toBe('ask_user');
    }
  });
});

describe('modes', () => {
  test('yolo lets through what would ask, also by a rule, and no deny [P1]', () => {
    expect(decide({ mode: 'yolo' })).toBe('allow');
    expect(decide({ mode: 'yolo' }, { tier: 'admin', decision: 'ask_user' })).toBe('allow');
    expect(decide({ mode: 'yolo' }, { tier: 'default', decision: 'deny' })).toBe('deny');
  });

  test('plan mode denies effects and says so, unless a rule that names the mode allows them [P1]', () => {
    const mode = 'plan';
    const denied = policy({ decision: 'allow' }).judge(subject({ mode }));
    expect(denied).toMatchObject({ decision: 'deny', because: 'mode', rule: null });
    expect(denied.reason).toMatch(/plan mode/i);
    expect(decide({ mode }, { decision: 'allow', modes: ['plan'] })).toBe('allow');
    expect(decide({ mode }, { decision: 'ask_user', modes: ['plan'] })).toBe('deny');
    expect(decide({ mode }, { decision: 'allow', modes: ['plan'] }, { decision: 'deny', priority: 1 })).toBe(
      'allow',
    );
    expect(
      decide({ mode }, { decision: 'allow', modes: ['plan'] }, { decision: 'deny', priority: 999 }),
    ).toBe('deny');
    // The rule that names the mode opens the door; the stronger one still decides what happens there.
    expect(
      decide({ mode }, { decision: 'allow', modes: ['plan'] }, { decision: 'ask_user', priority: 999 }),
    ).toBe('ask_user');
    const elsewhere = { type: 'argument', key: 'file_path', pattern: pattern('^plans/') } as const;
    expect(decide({ mode }, { decision: 'allow', modes: ['plan'], args: elsewhere })).toBe('deny');
    expect(decide({ mode, ...reading() })).toBe('allow');
    const byRule = policy({ decision: 'deny', denyMessage: 'No.' }).judge(subject({ mode }));
    expect(byRule).toMatchObject({ because: 'rule', reason: 'No.' });
  });

  test('plan mode lets plans be written, as far as no stronger rule asks or denies [P1]', () => {
    const mode = 'plan';
    const path = '/w/.countersign/plans/a.md';
    const writing = (...resources: Resource[]) => ({
      mode: 'plan' as const,
      plan: { kind: 'edit' as const, resources, byDefault: null },
    });
    const plan = writing(file('fs.write', path));
    expect(policy().judge(subject(plan))).toMatchObject({ decision: 'allow', because: 'mode' });
    expect(decide(plan, { tier: 'default', decision: 'ask_user' })).toBe('allow');
    expect(decide(plan, { tier: 'user', decision: 'ask_user' })).toBe('ask_user');
    expect(decide(plan, { tier: 'default', decision: 'deny' })).toBe('deny');
    expect(decide(writing(file('fs.write', path, { guarded: 'agent' })))).toBe('deny');
    expect(decide(writing(file('fs.write', path, { place: 'outside' })))).toBe('deny');
    expect(decide(writing(file('fs.write', path), file('fs.write', '/w/a.md')))).toBe('deny');
    expect(decide(writing(file('fs.write', '/w/x.countersign/plans/a.md')))).toBe('deny');
    const deleting = { kind: 'delete', resources: plan.plan.resources, byDefault: null } as const;
    expect(decide({ mode, plan: deleting })).toBe('deny');
  });

  test('auto_edit answers for edits of ordinary workspace files, and only to the shipped rules [P1]', () => {
    const mode = 'auto_edit';
    expect(policy().judge(subject({ mode }))).toMatchObject({ decision: 'allow', because: 'mode' });
    expect(decide({ mode }, { tier: 'default', decision: 'ask_user' })).toBe('allow');
    for (const tier of ['extension', 'workspace', 'user', 'admin'] as const) {
      expect(decide({ mode }, { tier, decision: 'ask_user' })).toBe('ask_user');
    }
    expect(decide({ mode }, { tier: 'default', decision: 'deny' })).toBe('deny');
    const plan = (kind: Subject['plan']['kind'], ...resources: Resource[]) => ({
      mode: 'auto_edit' as const,
      plan: { kind, resources, byDefault: null },
    });
    const ordinary = file('fs.write', 'a.ts');
    expect(decide(plan('delete', ordinary))).toBe('ask_user');
    expect(decide(plan('execute', ordinary))).toBe('ask_user');
    expect(decide(plan('edit'))).toBe('ask_user');
    expect(decide(plan('edit', ordinary, file('fs.write', '.env', { guarded: 'secrets' })))).toBe('ask_user');
    expect(decide(plan('edit', ordinary, file('fs.read', '/etc/x', { place: 'outside' })))).toBe('ask_user');
    expect(decide(plan('edit', ordinary, { kind: 'opaque', why: 'unknown' }))).toBe('ask_user');
  });

  test('confirm_always asks about everything that is not denied [P1]', () => {
    const mode = 'confirm_always';
    expect(policy({ decision: 'allow' }).judge(subject({ mode }))).toMatchObject({
      decision: 'ask_user',
      because: 'mode',
    });
    expect(policy({ decision: 'ask_user' }).judge(subject({ mode }))).toMatchObject({
      decision: 'ask_user',
      because: 'mode',
    });
    expect(decide({ mode, ...reading() })).toBe('ask_user');
    expect(decide({ mode }, { decision: 'deny' })).toBe('deny');
  });

  test('manual leaves what the rules said [P1]', () => {
    for (const decision of ['allow', 'ask_user', 'deny'] as const)
      expect(decide({}, { decision })).toBe(decision);
  });
});

describe('guards', () => {
  const outside = file('fs.read', '/etc/passwd', { place: 'outside' });
  const secret = (kind: 'fs.read' | 'fs.write') =>
    file(kind, '.env', { guarded: '".env" usually holds secrets' });
  const strongest = {
    tier: 'admin',
    priority: 999,
    args: { type: 'argument', key: 'file_path', pattern: pattern('') },
  } as const;

  test('a path outside the workspace asks in every mode, whatever rule allows the call [P5]', () => {
    for (const mode of APPROVAL_MODES) {
      const verdict = policy(strongest).judge(subject({ mode, ...reading([file('fs.read', 'a'), outside]) }));
      expect(verdict).toMatchObject({ decision: 'ask_user', because: 'guard', matched: '/etc/passwd' });
      expect(verdict.reason).toBe('It would touch /etc/passwd: it is outside the workspace.');
    }
  });

  test('a protected file is not written silently in any mode [P5]', () => {
    for (const mode of APPROVAL_MODES.filter((each) => each !== 'plan')) {
      const plan = { kind: 'edit', resources: [secret('fs.write')], byDefault: null } as const;
      const verdict = policy(strongest).judge(subject({ mode, plan }));
      expect(verdict).toMatchObject({ decision: 'ask_user', because: 'guard' });
      expect(verdict.reason).toBe('It would touch .env: ".env" usually holds secrets.');
    }
  });

  test('reading a protected file asks, except in yolo [P5]', () => {
    const call = reading([secret('fs.read')]);
    for (const mode of APPROVAL_MODES) {
      expect(decide({ mode, ...call }, strongest)).toBe(mode === 'yolo' ? 'allow' : 'ask_user');
    }
  });

  test('a rule that asks keeps its name when a guard joins it, and a deny stays a deny [P5]', () => {
    const asked = policy({ name: 'mine', decision: 'ask_user' }).judge(subject(reading([outside])));
    expect(asked).toMatchObject({ decision: 'ask_user', because: 'guard', rule: { name: 'mine' } });
    expect(asked.reason).toContain('/etc/passwd');
    expect(decide(reading([outside]), { decision: 'deny' })).toBe('deny');
  });
});

describe('people', () => {
  test('what a person typed counts as their answer, but not against a deny [P1]', () => {
    const origin = 'person';
    const verdict = policy({ name: 'careful', decision: 'ask_user' }).judge(subject({ origin }));
    expect(verdict).toMatchObject({ decision: 'allow', because: 'person', rule: { name: 'careful' } });
    expect(verdict.reason).toContain('The user typed this call');
    expect(decide({ origin, mode: 'confirm_always' })).toBe('allow');
    expect(decide({ origin, ...reading([file('fs.read', '/x', { place: 'outside' })]) })).toBe('allow');
    expect(decide({ origin, attended: false })).toBe('allow');
    expect(decide({ origin }, { decision: 'deny' })).toBe('deny');
    expect(decide({ origin, mode: 'plan' })).toBe('deny');
    expect(decide({ origin: 'client' })).toBe('ask_user');
  });

  test('a call that asks a person something is answered by nothing and no one else [A1]', () => {
    for (const tool of ['ask_user', 'exit_plan_mode']) {
      const call = { tool, plan: { kind: 'communicate', resources: [], byDefault: 'ask_user' } } as const;
      const allowed = policy({ tier: 'admin', decision: 'allow' }).judge(subject(call));
      expect(allowed).toMatchObject({ decision: 'ask_user', because: 'guard', rule: null });
      for (const mode of APPROVAL_MODES) expect(decide({ ...call, mode })).toBe('ask_user');
      expect(decide({ ...call, origin: 'person' })).toBe('ask_user');
      const advice = { decision: 'allow', by: 'hook', reason: 'fine' } as const;
      expect(decide({ ...call, advice })).toBe('ask_user');
      expect(decide(call, { decision: 'deny' })).toBe('deny');
      const unattended = policy().judge(subject({ ...call, mode: 'yolo', attended: false }));
      expect(unattended).toMatchObject({ decision: 'deny', because: 'unattended' });
      expect(decide({ ...call, mcpServer: 'other', mode: 'yolo' })).toBe('allow');
    }
  });

  test('with no user attached a question is a denial that says so, distinguished from a rule that denies [A8]', () => {
    const attended = false;
    const unattended = policy({ name: 'careful', decision: 'ask_user' }).judge(subject({ attended }));
    expect(unattended).toMatchObject({ decision: 'deny', because: 'unattended', rule: { name: 'careful' } });
    expect(unattended.reason).toContain('No user is attached');
    expect(policy({ decision: 'deny' }).judge(subject({ attended })).because).toBe('rule');
    expect(decide({ attended, ...reading() })).toBe('allow');
    expect(decide({ attended, mode: 'yolo' })).toBe('allow');
  });
});

describe('rules about commands', () => {
  const plan = {
    kind: 'execute',
    resources: [{ kind: 'opaque', why: 'a command' }],
    byDefault: null,
  } as const;
  const shell = { tool: 'run_shell_command', args: { command: 'git status; rm -rf ~' }, plan } as const;
  const prefix = (text: string) =>
    ({ tools: ['run_shell_command'], command: { type: 'prefix', words: [text.split(' ')] } }) as const;

  test('a line that was not taken apart is asked about, whatever allows it, or denied [P4]', () => {
    const blanket = { tools: ['run_shell_command'], tier: 'admin' } as const;
    expect(decide(shell, prefix('git status'))).toBe('ask_user');
    expect(decide(shell, blanket)).toBe('ask_user');
    expect(decide({ ...shell, mode: 'yolo' }, blanket)).toBe('ask_user');
    expect(decide(shell, { ...blanket, decision: 'deny' })).toBe('deny');
  });

  test('the text of a whole command line may forbid it, and never allow it [P4]', () => {
    const args = { type: 'argument', key: 'command', pattern: pattern('^git status') } as const;
    expect(decide(shell, { args })).toBe('ask_user');
    expect(decide(shell, { args, decision: 'deny' })).toBe('deny');
  });
});

describe('tools that need not be declared', () => {
  const denies = (...rules: RuleParts[]) => policy(...rules).deniesOutright('write_file', 'manual');

  test('a deny without conditions leaves the tool out, in the modes it is for [P2]', () => {
    expect(denies({ decision: 'deny' })).toBe(true);
    expect(denies({ decision: 'deny', modes: ['manual'] })).toBe(true);
    expect(denies({ decision: 'deny', modes: ['yolo'] })).toBe(false);
    expect(denies({ decision: 'deny', tools: ['read_*'] })).toBe(false);
    expect(denies()).toBe(false);
  });

  test('a stronger rule that lets some calls through keeps the tool; one that denies some does not [P2]', () => {
    const args = { type: 'argument', key: 'file_path', pattern: pattern('^src/') } as const;
    const deny = { decision: 'deny' } as const;
    expect(denies({ ...deny, args })).toBe(false);
    expect(denies(deny, { priority: 200, args, decision: 'ask_user' })).toBe(false);
    expect(denies(deny, { priority: 200, args, decision: 'deny' })).toBe(true);
    expect(denies(deny, { priority: 1, decision: 'allow' })).toBe(true);
    expect(denies(deny, { tier: 'admin', decision: 'allow' })).toBe(false);
    expect(denies({ ...deny, interactive: false })).toBe(false);
  });

  test('the tools of a denied MCP server are skipped, those of its namesake are not [P2]', () => {
    const judged = policy({ tools: ['mcp_a_*'], decision: 'deny' });
    expect(judged.deniesOutright('mcp_a_read', 'manual', 'a')).toBe(true);
    expect(judged.deniesOutright('mcp_a_b_read', 'manual', 'a_b')).toBe(false);
  });
});

describe('explaining', () => {
  test('the trace lists every rule that was considered, in order, then the adjustments [P1]', () => {
    const judged = policy(
      { line: 1, priority: 3, modes: ['yolo'], decision: 'deny' },
      { line: 2, priority: 2, decision: 'ask_user' },
      { line: 3, priority: 1, decision: 'allow' },
      { line: 4, priority: 9, tools: ['read_file'] },
    );
    const call = subject({ attended: false });
    const { verdict, trace } = judged.explain(call);
    expect(verdict).toBe(judged.judge(call));
    expect(trace.map(({ rule: ref, met, why }) => [ref?.line ?? null, met, why])).toEqual([
      [1, false, 'It applies to other modes.'],
      [2, true, 'The rule at rules.toml:2 asks about this call.'],
      [null, true, 'No user is attached to approve it. The rule at rules.toml:2 asks about this call.'],
    ]);
  });

  test('where no rule matches the trace ends with the default [P1]', () => {
    const { trace } = policy().explain(subject());
    expect(trace).toEqual([
      { rule: null, met: true, why: 'It would make a change, and no rule allows that.' },
    ]);
  });
});

describe('cost', () => {
  /** Rules about other tools that count how often anything of them is looked at. */
  function withOthers(count: number) {
    const looks = { rules: 0, patterns: 0 };
    const counting: Pattern = { source: '', test: () => ++looks.patterns < 0 };
    const others = Array.from({ length: count }, (_, index): Rule => {
      const made = rule({ line: index + 2, args: { type: 'argument', key: 'file_path', pattern: counting } });
      return Object.defineProperty({ ...made }, 'tools', {
        get: () => {
          looks.rules++;
          return [`other_${index}`];
        },
      });
    });
    const own = rule({
      tools: ['write_file'],
      args: { type: 'argument', key: 'file_path', pattern: counting },
    });
    return { judged: compilePolicy([own, ...others], 'hash'), looks };
  }

  test('a check looks at the same few rules among 10 and among 1,000 [P2]', () => {
    for (const count of [10, 1000]) {
      const { judged, looks } = withOthers(count);
      judged.judge(subject());
      expect(looks).toEqual({ rules: count, patterns: 1 });
      for (let round = 0; round < 100; round++) judged.judge(subject());
      expect(looks).toEqual({ rules: count, patterns: 101 });
    }
  });

  test('rules behind one that every call meets are never looked at [P2]', () => {
    let tests = 0;
    const counting: Pattern = { source: '', test: () => ++tests < 0 };
    const behind = Array.from({ length: 100 }, () =>
      rule({ priority: 1, args: { type: 'argument', key: 'file_path', pattern: counting } }),
    );
    expect(compilePolicy([rule({}), ...behind], 'hash').judge(subject()).decision).toBe('allow');
    expect(tests).toBe(0);
  });

  test('more tools than are remembered are still judged rightly', () => {
    const judged = policy({ tools: ['tool_7'], decision: 'deny' });
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 1100; index++) {
        const { decision } = judged.judge(
          subject({ tool: `tool_${index}`, ...{ plan: { kind: 'think', resources: [], byDefault: null } } }),
        );
        expect(decision).toBe(index === 7 ? 'deny' : 'allow');
      }
    }
  });

  test('verdicts of one rule are one object', () => {
    const judged = policy({ decision: 'ask_user' });
    expect(judged.judge(subject())).toBe(judged.judge(subject()));
    expect(judged.judge(subject({ attended: false }))).toBe(judged.judge(subject({ attended: false })));
    expect(judged.judge(subject({ origin: 'person' }))).toBe(judged.judge(subject({ origin: 'person' })));
  });
});
