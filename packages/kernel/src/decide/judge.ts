import type {
  Event,
  Failure,
  Grant,
  HookAdvice,
  PermitSource,
  Plan,
  Preview,
  Question,
  ToolCall,
  Verdict,
} from '@countersign/protocol';
import { lineDirectory } from '../policy/command-line/line-directory.js';
import { COMMAND_TOOL } from '../policy/commands.js';
import { beyondGrant, covers, offersFor } from '../policy/grants.js';
import type { Subject } from '../policy/rule.js';
import type { Circumstances, Planned } from '../state/input.js';
import { type Session, turnOf } from '../state/session.js';

/** The decision of policy and grants about a planned call. */
export type Judgement =
  | { readonly type: 'permitted'; readonly verdict: Verdict; readonly by: PermitSource }
  | { readonly type: 'ask'; readonly verdict: Verdict }
  | { readonly type: 'denied'; readonly verdict: Verdict; readonly failure: Failure };

export function judge(
  session: Session,
  request: ToolCall['request'],
  plan: Plan,
  at: number,
  circumstances: Circumstances,
  advice: HookAdvice | null = null,
): Judgement {
  const subject = subjectOf(session, request, plan, circumstances, advice);
  return judgeSubject(subject, plan, session, at, circumstances);
}

/** What grants are looked up for: a session, or one that does not exist yet. */
export type GrantHolder = Pick<Session, 'workspace' | 'mode' | 'added' | 'claims' | 'revoked'>;

/** The same for a call that is only asked about, so that no second judge can come to another decision. */
export function judgeSubject(
  subject: Subject,
  plan: Pick<Plan, 'locations'>,
  session: GrantHolder,
  at: number,
  circumstances: Pick<Circumstances, 'grants' | 'policy'>,
): Judgement {
  const advice = subject.advice ?? null;
  const verdict = circumstances.policy.judge(subject);
  if (verdict.decision === 'allow') return { type: 'permitted', verdict, by: permitFrom(verdict, advice) };
  const wouldAsk = verdict.decision === 'ask_user' || verdict.because === 'unattended';
  // A hook that asks about this call is not satisfied by an earlier grant.
  if (wouldAsk && session.mode !== 'confirm_always' && advice?.decision !== 'ask') {
    const found = grantFor(session, { subject, plan, verdict }, at, circumstances);
    if (found.grant) return { type: 'permitted', verdict, by: { type: 'grant', grantId: found.grant.id } };
    if (found.beyond !== null) return asked({ ...verdict, reason: `${verdict.reason} ${found.beyond}` });
  }
  return asked(verdict);

  function asked(stated: Verdict): Judgement {
    if (stated.decision === 'ask_user') return { type: 'ask', verdict: stated };
    return { type: 'denied', verdict: stated, failure: denial(stated, advice) };
  }
}

const permitFrom = (verdict: Verdict, advice: HookAdvice | null): PermitSource =>
  verdict.because === 'hook' && advice
    ? { type: 'hook', hook: advice.by }
    : { type: 'policy', rule: verdict.rule };

/** What policy looks at. */
export function subjectOf(
  session: Session,
  request: ToolCall['request'],
  plan: Plan,
  { commandsOf }: Pick<Circumstances, 'commandsOf'>,
  advice: HookAdvice | null = null,
): Subject {
  const { name, args } = request;
  const line = name === COMMAND_TOOL ? args['command'] : null;
  return {
    tool: name,
    args,
    plan,
    workspace: session.workspace,
    commands: typeof line === 'string' ? commandsOf(line) : null,
    mcpServer: serverOf(plan),
    annotations: plan.annotations ?? null,
    origin: request.origin,
    mode: session.mode,
    attended: turnOf(session, request.turn)?.attended ?? false,
    subagent: null,
    advice,
  };
}

/** The facts a judgement leads to, for a call that is being validated. */
export function carryOut(
  judgement: Judgement,
  session: Session,
  request: ToolCall['request'],
  planned: Planned,
  at: number,
  circumstances: Circumstances,
): readonly Event[] {
  const { callId } = request;
  switch (judgement.type) {
    case 'permitted':
      return [{ type: 'call.granted', callId, permit: { digest: planned.plan.digest, by: judgement.by } }];
    case 'ask':
      return [
        {
          type: 'call.asked',
          callId,
          question: questionFor(session, request, planned, judgement.verdict, at, circumstances),
        },
      ];
    case 'denied':
      return [{ type: 'call.failed', callId, failure: judgement.failure, partial: null, at }];
  }
}

export function questionFor(
  session: Session,
  request: ToolCall['request'],
  planned: Planned,
  verdict: Verdict,
  at: number,
  circumstances: Circumstances,
): Question {
  const { confirmation }: Preview = planned.preview;
  const subject = subjectOf(session, request, planned.plan, circumstances);
  const asking = circumstances.policy.asking(subject);
  const directory = directoryOf(session, subject, planned.plan);
  return {
    digest: planned.plan.digest,
    confirmation,
    offers: offersFor({ confirmation, plan: planned.plan, tool: request.name, verdict, asking, directory }),
    askedAt: at,
  };
}

/** Where the commands of a call run, relative to the workspace; null where that is not known. */
export function directoryOf(
  { workspace }: Pick<Session, 'workspace'>,
  { commands, args }: Pick<Subject, 'commands' | 'args'>,
  { locations }: Pick<Plan, 'locations'>,
): string | null {
  if (commands === null) return '';
  const from = locations[0]?.path ?? (args['dir_path'] === undefined ? workspace : null);
  return from === null ? null : lineDirectory(commands, from, workspace);
}

type Judged = {
  readonly subject: Subject;
  readonly plan: Pick<Plan, 'locations'>;
  readonly verdict: Verdict;
};
type Found = {
  readonly grant: Grant | null;
  /** Why one for how its command begins does not cover the call; null where there is none. */
  readonly beyond: string | null;
};

/** A grant in force that covers the call and has a use left, minus those taken since the store was last read. */
function grantFor(
  session: GrantHolder,
  { subject, plan, verdict }: Judged,
  at: number,
  { grants, policy }: Pick<Circumstances, 'grants' | 'policy'>,
): Found {
  if (grants.size === 0 && session.added.length === 0) return NO_GRANT;
  const directory = directoryOf(session, subject, plan);
  const call = { tool: subject.tool, plan: subject.plan, asking: policy.asking(subject), directory, verdict };
  const isInForce = (grant: Grant) =>
    !session.revoked.has(grant.id) &&
    (grant.expiresAt === null || grant.expiresAt > at) &&
    (grant.uses === null || grant.uses > session.claims.filter((id) => id === grant.id).length);
  let beyond: string | null = null;
  for (const grant of [...grants.values(), ...session.added]) {
    if (!isInForce(grant)) continue;
    if (covers(grant.pattern, call)) return { grant, beyond: null };
    beyond ??= beyondGrant(grant.pattern, call);
  }
  return { grant: null, beyond };
}

const NO_GRANT: Found = { grant: null, beyond: null };

function denial(verdict: Verdict, advice: HookAdvice | null): Failure {
  if (verdict.because === 'hook' && advice)
    return { code: 'hook_denied', hook: advice.by, reason: verdict.reason };
  if (verdict.because === 'unattended') return { code: 'nobody_to_ask', reason: verdict.reason };
  const rule = verdict.rule && `${verdict.rule.file}:${verdict.rule.line}`;
  return { code: 'policy_violation', reason: verdict.reason, rule };
}

function serverOf(plan: Plan): string | null {
  for (const resource of plan.resources) if (resource.kind === 'mcp') return resource.server;
  return null;
}
