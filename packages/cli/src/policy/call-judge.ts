import { type Classify, supposeCall, type Toolbox } from '@countersign/engine';
import { COMMAND_TOOL, type Policy, type Subject, type TraceStep } from '@countersign/kernel';
import type {
  ApprovalMode,
  CommandUnit,
  Json,
  PolicyDecision,
  RuleRef,
  Verdict,
} from '@countersign/protocol';
import { InlinePolicies } from './inline-policy.js';
import type { AskedCall } from './read-call.js';

/** The policy decision on a call as scripts read it: one JSON line. */
export type Judged = {
  readonly id?: Json;
  readonly decision: PolicyDecision;
  readonly rule: RuleRef | null;
  readonly reasons: readonly string[];
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
};

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
    const { policy, subject } = looked.value;
    return { ok: true, value: judged(call, policy.judge(subject), looked.value) };
  }

  async explain(call: AskedCall): Promise<Outcome<Explained>> {
    const looked = await this.#look(call);
    if (!looked.ok) return looked;
    const { policy, subject } = looked.value;
    const { verdict, trace } = policy.explain(subject);
    const { tool, mode, attended, plan } = subject;
    return {
      ok: true,
      value: {
        ...judged(call, verdict, looked.value),
        policy: policy.hash,
        mode,
        interactive: attended,
        tool,
        resources: plan.resources,
        trace,
      },
    };
  }

  async #look({ id: _id, rules, ...call }: AskedCall): Promise<Outcome<Looked>> {
    const inline = rules === null ? null : await this.#inline.of(rules);
    if (inline && !inline.ok) return inline;
    const { tools, workspace, mode, shipped, classify } = this.#parts;
    const supposed = await supposeCall({ ...call, mode, origin: 'model' }, { tools, workspace, classify });
    const subject = shipped === 'all' ? supposed.subject : byRulesAlone(supposed.subject);
    const notes = [...(inline?.notes ?? [])];
    if (supposed.problem !== null) notes.push(`The call itself would fail: ${supposed.problem}`);
    return { ok: true, value: { policy: inline?.policy ?? this.#parts.policy, subject, notes } };
  }
}

type Looked = { readonly policy: Policy; readonly subject: Subject; readonly notes: readonly string[] };

/** Without defaults, a call that no rule matches asks, and paths of a command line are not judged. */
function byRulesAlone(subject: Subject): Subject {
  const plan = { ...subject.plan, byDefault: 'ask_user' } as const;
  return { ...subject, plan: subject.tool === COMMAND_TOOL ? { ...plan, ...withoutPaths(plan) } : plan };
}

const withoutPaths = ({ resources }: Pick<Subject['plan'], 'resources'>) => ({
  resources: resources.filter((resource) => !('path' in resource)),
});

function judged(
  { id }: AskedCall,
  { decision, rule, reason }: Verdict,
  { policy, subject, notes }: Looked,
): Judged {
  const units = subject.commands?.units ?? [];
  return {
    ...(id !== undefined && { id }),
    decision,
    rule,
    reasons: [reason, ...notes],
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
