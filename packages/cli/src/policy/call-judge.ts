import { type Classify, type Lookout, supposeCall, type Toolbox } from '@countersign/engine';
import {
  COMMAND_TOOL,
  judgeSubject,
  type Policy,
  patternInWords,
  type Subject,
  type TraceStep,
} from '@countersign/kernel';
import {
  type ApprovalMode,
  type CommandUnit,
  explain,
  type Failure,
  type Grant,
  type Json,
  type PolicyDecision,
  type RuleRef,
  type Verdict,
} from '@countersign/protocol';
import { InlinePolicies } from './inline-policy.js';
import type { AskedCall } from './read-call.js';
import type { ServersAsked } from './servers-asked.js';

/** The decision on a call as scripts read it: one JSON line. */
export type Judged = {
  readonly id?: Json;
  readonly decision: PolicyDecision;
  readonly rule: RuleRef | null;
  readonly reasons: readonly string[];
  /** The grant that allows what a rule would ask about. */
  readonly grant?: { readonly id: string; readonly scope: Grant['scope']; readonly text: string };
  /** Something that would decide with the rules was not asked; the reasons say what. */
  readonly certain?: false;
  /** Each command of a command line, judged alone; paths are judged for the whole call. */
  readonly commands: readonly JudgedCommand[];
};
type JudgedCommand = Pick<CommandUnit, 'span' | 'program'> &
  Pick<Verdict, 'decision' | 'rule' | 'reason'> & { readonly text: string };

/** The same with every rule that was considered, in order, and the circumstances. */
export type Explained = Judged & {
  readonly policy: string;
  readonly mode: ApprovalMode;
  readonly interactive: boolean;
  readonly tool: string;
  readonly resources: Subject['plan']['resources'];
  readonly trace: readonly TraceStep[];
};

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type JudgeParts = {
  readonly tools: Toolbox;
  readonly policy: Policy;
  readonly workspace: string;
  readonly mode: ApprovalMode;
  /** 'none': without the default rules, a call that no rule matches asks. */
  readonly shipped: 'all' | 'none';
  readonly classify: Classify;
  readonly grants: GrantsRead;
  readonly servers: Pick<ServersAsked, 'readyFor' | 'serverOf'>;
  /** The hooks that would be asked before a call of this tool. */
  readonly hooksBefore: (tool: string) => readonly string[];
  readonly kept?: NonNullable<Lookout['kept']>;
};

/** The grants that apply to the calls; a failure if they could not be read. */
export type GrantsRead =
  | { readonly ok: true; readonly grants: ReadonlyMap<string, Grant> }
  | { readonly ok: false; readonly failure: Failure };

/** Judges calls as the engine would, without running them. */
export class CallJudge {
  readonly #parts: JudgeParts;
  readonly #inline: InlinePolicies;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    this.#inline = new InlinePolicies(parts.tools, parts.shipped);
  }

  async judge(call: AskedCall): Promise<Outcome<Judged>> {
    const looked = await this.#look(call);
    if (!looked.ok) return looked;
    return { ok: true, value: judged(call, looked.value) };
  }

  async explain(call: AskedCall): Promise<Outcome<Explained>> {
    const looked = await this.#look(call);
    if (!looked.ok) return looked;
    const { policy, subject } = looked.value;
    const { trace } = policy.explain(subject);
    const { grant } = looked.value;
    const { tool, mode, attended, plan } = subject;
    return {
      ok: true,
      value: {
        ...judged(call, looked.value),
        policy: policy.hash,
        mode,
        interactive: attended,
        tool,
        resources: plan.resources,
        trace: grant === null ? trace : [...trace, { rule: null, met: true, why: grantText(grant) }],
      },
    };
  }

  async #look({ id: _id, rules, ...call }: AskedCall): Promise<Outcome<Looked>> {
    const inline = rules === null ? null : await this.#inline.of(rules);
    if (inline && !inline.ok) return inline;
    const { tools, mode, shipped, servers } = this.#parts;
    const policy = inline?.policy ?? this.#parts.policy;
    await servers.readyFor(call.tool);
    const notAsked =
      tools.get(call.tool) === undefined ? await servers.serverOf(call.tool, call.mcpServer) : null;
    const mcpServer = call.mcpServer ?? notAsked?.server ?? null;
    const supposed = await supposeCall({ ...call, mcpServer, mode, origin: 'client' }, this.#parts);
    const subject = shipped === 'all' ? supposed.subject : byRulesAlone(supposed.subject);
    const notes = [...(inline?.notes ?? [])];
    if (supposed.problem !== null) notes.push(`${WOULD_FAIL}: ${supposed.problem}`);
    // Other rules than those in force are a question about these rules alone.
    if (inline || shipped === 'none')
      return { ok: true, value: { policy, subject, verdict: policy.judge(subject), ...NOTHING_ELSE, notes } };
    if (!supposed.isKnown && mcpServer === null && notAsked === null)
      notes.push(`${WOULD_FAIL}: ${explain(tools.missing(call.tool)).message}`);
    const { verdict, grant, unknown } = this.#judgeNow(subject, supposed.plan);
    const missing = notAsked === null ? unknown : [notAsked.unknown, ...unknown];
    return { ok: true, value: { policy, subject, verdict, grant, notes, unknown: missing } };
  }

  /** As a session would, with its grants; `unknown` is what would take part and was not asked. */
  #judgeNow(
    subject: Subject,
    plan: Parameters<typeof judgeSubject>[1],
  ): Pick<Looked, 'verdict' | 'grant' | 'unknown'> {
    const { policy, mode, grants: read, hooksBefore } = this.#parts;
    const grants = read.ok ? read.grants : NO_GRANTS;
    const session = { workspace: subject.workspace ?? '', mode, ...NO_CHANGES };
    const judgement = judgeSubject(subject, plan, session, Date.now(), { grants, policy });
    const { verdict } = judgement;
    const by = judgement.type === 'permitted' ? judgement.by : null;
    const grant = by?.type === 'grant' ? (grants.get(by.grantId) ?? null) : null;
    const isDeniedByRule = judgement.type === 'denied' && verdict.because !== 'unattended';
    const hooks = isDeniedByRule ? [] : hooksBefore(subject.tool);
    const unknown = hooks.map(
      (hook) => `Not known: the hook "${hook}" was not asked; it may decide otherwise.`,
    );
    if (!read.ok && !isDeniedByRule && judgement.type !== 'permitted')
      unknown.push(
        `Not known: the grants could not be read, and one may allow it. ${explain(read.failure).message}`,
      );
    return { verdict, grant, unknown };
  }
}

/** Begins the note on a call that is refused whatever the rules decide. */
export const WOULD_FAIL = 'The call itself would fail';

type Looked = {
  readonly policy: Policy;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** Allows the call although the verdict asks. */
  readonly grant: Grant | null;
  readonly notes: readonly string[];
  readonly unknown: readonly string[];
};

const NO_GRANTS: ReadonlyMap<string, Grant> = new Map();
const NOTHING_ELSE = { grant: null, unknown: [] } as const;
/** Nothing is granted, used or revoked that the store does not know of. */
const NO_CHANGES = { added: [], claims: [], revoked: new Set<string>() };

const grantText = ({ id, scope, pattern }: Grant): string =>
  `The ${scope} grant ${id} allows it: ${patternInWords(pattern)}.`;

/** Without defaults, a call that no rule matches asks, and paths of a command line are not judged. */
function byRulesAlone(subject: Subject): Subject {
  const plan = { ...subject.plan, byDefault: 'ask_user' } as const;
  return { ...subject, plan: subject.tool === COMMAND_TOOL ? { ...plan, ...withoutPaths(plan) } : plan };
}

const withoutPaths = ({ resources }: Pick<Subject['plan'], 'resources'>) => ({
  resources: resources.filter((resource) => !('path' in resource)),
  named: [],
});

function judged({ id }: AskedCall, { policy, subject, verdict, grant, notes, unknown }: Looked): Judged {
  const { decision, rule, reason } = verdict;
  const units = subject.commands?.units ?? [];
  return {
    ...(id !== undefined && { id }),
    decision: grant === null ? decision : 'allow',
    rule,
    reasons: [
      ...(grant === null ? [reason] : [grantText(grant), `Without it: ${reason}`]),
      ...notes,
      ...unknown,
    ],
    ...(grant && { grant: { id: grant.id, scope: grant.scope, text: patternInWords(grant.pattern) } }),
    ...(unknown.length > 0 && { certain: false }),
    commands: units.map((unit) => judgedCommand(unit, policy, subject)),
  };
}

function judgedCommand(unit: CommandUnit, policy: Policy, subject: Subject): JudgedCommand {
  const { commands, plan } = subject;
  const { span, program } = unit;
  const text = commands?.text.slice(span.start, span.end) ?? '';
  const alone = commands && {
    ...commands,
    units: [unit],
    problem: null,
    hiddenCharacters: [],
    evaluations: [],
  };
  const own = { ...subject, plan: { ...plan, ...withoutPaths(plan) }, commands: alone };
  const { decision, rule, reason } = policy.judge(own);
  return { text, span, program, decision, rule, reason };
}
