import type {
  Answer,
  AnswerPayload,
  AwaitingCall,
  Event,
  Failure,
  GrantPattern,
  Json,
  JsonObject,
  Offer,
  Plan,
  Resource,
  ToolCall,
} from '@countersign/protocol';
import { covers, grantFrom, isWithin } from '../policy/grants.js';
import { bySandbox } from '../policy/verdicts.js';
import type { Circumstances, InputOf } from '../state/input.js';
import type { Session } from '../state/session.js';
import { type Decision, facts, refuse, repeated } from './decision.js';
import { cancelled, failed } from './endings.js';
import { plannedFact } from './hooked.js';
import { directoryOf, judge, questionFor, subjectOf } from './judge.js';

type AnswerInput = InputOf<'answer'>;

/**
 * An answer arrives. The first one to the question as shown counts; it is consent
 * to exactly the digest of that question, and policy can still deny the call.
 */
export function decideAnswer(session: Session, input: AnswerInput, circumstances: Circumstances): Decision {
  const call = session.calls.get(input.callId);
  if (!call) return refuse({ code: 'unknown_call', callId: input.callId });
  const given = answerOf(call);
  if (given) return isSameAnswer(given, input) ? repeatedReply(call) : refuse(tooLate(call, given, input));
  if (call.status !== 'awaiting_approval') return refuse(notWaiting(call));
  const objection = objectionTo(call, input);
  if (objection) return refuse(objection);

  if (input.fresh.type === 'failed') return stopped(call, input, input.fresh.failure);
  if (input.outcome === 'cancel') return facts(declined(call, input));
  switch (input.fresh.type) {
    case 'unchanged':
      return proceed(session, call, input, call.plan, circumstances);
    case 'unseen':
      return refuse({
        code: 'question_changed',
        callId: input.callId,
        why: 'the question was not open when the answer arrived',
      });
    case 'planned':
      return input.fresh.outcome.ok && input.fresh.outcome.plan.digest === call.question.digest
        ? proceed(session, call, input, call.plan, circumstances)
        : askAnew(session, call, input, circumstances);
    case 'rewritten':
      return proceedRewritten(session, call, input, circumstances);
  }
}

/** Replace the arguments of a waiting call; the new question follows when the new plan is judged. */
export function decideModify(session: Session, input: InputOf<'modify'>): Decision {
  const call = session.calls.get(input.callId);
  if (!call) return refuse({ code: 'unknown_call', callId: input.callId });
  const given = answerOf(call);
  if (given) {
    const { outcome } = given;
    return refuse(
      tooLate(call, given, { outcome, payload: { args: input.args }, payloadDigest: input.argsHash }),
    );
  }
  if (call.status !== 'awaiting_approval') return refuse(notWaiting(call));
  const changed = questionChanged(call, input.digest);
  if (changed) return refuse(changed);
  const { callId } = input;
  const revision = call.request.revision + 1;
  const { args, argsHash, by } = input;
  return facts([{ type: 'call.rewritten', callId, revision, args, argsHash, by }]);
}

function proceed(
  session: Session,
  call: AwaitingCall,
  input: AnswerInput,
  plan: Plan,
  circumstances: Circumstances,
): Decision {
  const { callId, at } = input;
  const answered: Event = { type: 'call.answered', callId, answer: toAnswer(input) };
  const judgement = judge(session, call.request, plan, at, circumstances, call.advice);
  if (judgement.type === 'denied') {
    const { failure } = judgement;
    return refuse(failure, [answered, failed(call, failure, at)]);
  }
  const granted: Event = {
    type: 'call.granted',
    callId,
    permit: { digest: plan.digest, by: { type: 'person', who: input.by } },
  };
  const offer = call.question.offers.find(({ outcome }) => outcome === input.outcome);
  const lasting = offer?.grant && agreed(offer.grant, input.narrowed);
  if (!lasting) return facts([answered, granted]);

  const made = grantFrom(lasting, input.payload, {
    id: input.grantId,
    by: input.by,
    at,
    sessionId: session.id,
    workspace: session.workspace,
  });
  if (!made.ok) return refuse({ code: 'invalid_answer', problem: made.problem });
  const { grant } = made;
  return facts([
    answered,
    { type: 'grant.added', grant, callId },
    granted,
    ...othersCovered(session, grant, callId, at, circumstances),
  ]);
}

/** The grant on offer, or what the tool agrees to of it: never more than a person was shown. */
function agreed(
  offered: NonNullable<Offer['grant']>,
  narrowed: GrantPattern | null | undefined,
): typeof offered | null {
  if (narrowed === undefined) return offered;
  return narrowed && isWithin(narrowed, offered.pattern) ? { ...offered, pattern: narrowed } : null;
}

/** An "always" also answers the questions beside it that it covers, as far as its uses go. */
function othersCovered(
  session: Session,
  grant: Extract<Event, { type: 'grant.added' }>['grant'],
  answeredId: string,
  at: number,
  circumstances: Circumstances,
): Event[] {
  if (session.mode === 'confirm_always') return [];
  const events: Event[] = [];
  for (const id of session.waiting) {
    if (grant.uses !== null && events.length >= grant.uses) break;
    const other = session.calls.get(id);
    if (id === answeredId || other?.status !== 'awaiting_approval' || other.step !== 'asked') continue;
    // What a hook or the sandbox asks about is about this one run.
    if (other.advice?.decision === 'ask' || other.starts > 0) continue;
    const subject = subjectOf(session, other.request, other.plan, circumstances);
    const asking = circumstances.policy.asking(subject);
    const directory = directoryOf(session, subject, other.plan);
    const { type, verdict } = judge(session, other.request, other.plan, at, circumstances);
    if (type === 'denied') continue;
    const { plan } = other;
    if (!covers(grant.pattern, { tool: other.request.name, plan, asking, directory, verdict })) continue;
    const permit = { digest: other.plan.digest, by: { type: 'grant', grantId: grant.id } } as const;
    events.push({ type: 'call.granted', callId: id, permit });
  }
  return events;
}

/** The answer carries other arguments: consent to exactly those, if they touch nothing that was not shown. */
function proceedRewritten(
  session: Session,
  call: AwaitingCall,
  input: AnswerInput,
  circumstances: Circumstances,
): Decision {
  if (input.fresh.type !== 'rewritten') return facts([]);
  if (input.outcome !== 'proceed_once') {
    return refuse({
      code: 'invalid_answer',
      problem: 'changed arguments are accepted only with proceed_once',
    });
  }
  const { args, argsHash, outcome, hooked } = input.fresh;
  if (hooked?.rewritten) return changedFurther(call, input, args, argsHash);
  if (!outcome.ok) return refuse(outcome.failure);
  const { plan } = outcome;
  const unseen = notShown(call.plan, plan);
  if (unseen.length > 0) return refuse({ code: 'path_not_shown', paths: unseen });

  const { callId, at, by } = input;
  const request = { ...call.request, args, argsHash, revision: call.request.revision + 1 };
  const advice = hooked?.advice ?? null;
  const judgement = judge(session, request, plan, at, circumstances, advice);
  const events: Event[] = [
    { type: 'call.answered', callId, answer: toAnswer(input) },
    { type: 'call.rewritten', callId, revision: request.revision, args, argsHash, by },
    ...(hooked ? [{ type: 'call.hooked', callId, when: 'before', notes: hooked.notes, at } as const] : []),
    plannedFact(callId, plan, judgement.verdict, advice),
  ];
  if (judgement.type === 'denied') {
    const { failure } = judgement;
    return refuse(failure, [...events, failed(call, failure, at)]);
  }
  const permit = { digest: plan.digest, by: { type: 'person', who: by } } as const;
  return facts([...events, { type: 'call.granted', callId, permit }]);
}

/** A hook changed the arguments that the person sent: nothing runs that they have not seen. */
function changedFurther(
  call: AwaitingCall,
  input: AnswerInput,
  args: JsonObject,
  argsHash: string,
): Decision {
  const { callId, by } = input;
  const revision = call.request.revision + 1;
  return refuse({ code: 'question_changed', callId, why: 'a hook changed these arguments again' }, [
    { type: 'call.rewritten', callId, revision, args, argsHash, by },
  ]);
}

/** The call changed since the question was shown: the answer does not count, and the new question is asked. */
function askAnew(
  session: Session,
  call: AwaitingCall,
  input: AnswerInput,
  circumstances: Circumstances,
): Decision {
  const { callId, at, fresh } = input;
  const why = 'the call would now do something other than what was shown';
  const refusal = { code: 'question_changed', callId, why } as const;
  if (fresh.type !== 'planned') return refuse(refusal);
  if (!fresh.outcome.ok) return refuse(refusal, [failed(call, fresh.outcome.failure, at)]);
  const { plan } = fresh.outcome;
  const judgement = judge(session, call.request, plan, at, circumstances, call.advice);
  // What the sandbox asks about stays its question, whatever policy would say.
  const verdict = judgement.type !== 'denied' && plan.needs ? bySandbox(plan.needs) : judgement.verdict;
  const planned = plannedFact(callId, plan, verdict, call.advice);
  if (judgement.type === 'denied') {
    const { failure } = judgement;
    return refuse(failure, [planned, failed(call, failure, at)]);
  }
  const question = questionFor(session, call.request, fresh.outcome, verdict, at, circumstances);
  return refuse(refusal, [planned, { type: 'call.asked', callId, question }]);
}

/** The tool that asked rejected the answer: nothing was granted, and the call fails. */
function stopped(call: AwaitingCall, input: AnswerInput, failure: Failure): Decision {
  const { callId } = call.request;
  return refuse(failure, [
    { type: 'call.answered', callId, answer: toAnswer(input) },
    failed(call, failure, input.at),
  ]);
}

function declined(call: AwaitingCall, input: AnswerInput): Event[] {
  const { by, at } = input;
  const feedback = input.payload.feedback ?? null;
  const stop = input.payload.stop ? ({ stop: true } as const) : {};
  return [
    { type: 'call.answered', callId: call.request.callId, answer: toAnswer(input) },
    cancelled(call, { type: 'declined', by, feedback, ...stop }, at),
  ];
}

function objectionTo(call: AwaitingCall, input: AnswerInput): Failure | null {
  const changed = questionChanged(call, input.digest);
  if (changed) return changed;
  const offered = call.question.offers.map(({ outcome }) => outcome);
  if (!offered.includes(input.outcome))
    return { code: 'outcome_not_offered', outcome: input.outcome, offered };
  if (input.outcome === 'modify_with_editor') {
    return {
      code: 'invalid_answer',
      problem: 'this front end opens no editor; send the changed arguments instead',
    };
  }
  if (call.question.confirmation.type === 'ask_user' && answersNothing(input)) {
    return {
      code: 'invalid_answer',
      problem: 'it answers none of the questions; send "answers", or decline with "cancel"',
    };
  }
  return null;
}

/**
 * Agreement without answers would reach the model as if the user had nothing to say. An empty form is one that was sent
 * on purpose: its defaults hold.
 */
const answersNothing = ({ outcome, payload: { answers = null } }: AnswerInput): boolean =>
  outcome !== 'cancel' && answers === null;

function questionChanged(call: AwaitingCall, digest: string): Failure | null {
  const { callId } = call.request;
  if (call.step === 'replanning')
    return { code: 'question_changed', callId, why: 'its arguments are being changed' };
  if (digest !== call.question.digest)
    return { code: 'question_changed', callId, why: 'the answer is for another version of it' };
  return null;
}

/** What the new plan would touch and the question did not show: another thing, or a write where a read was shown. */
function notShown(shown: Plan, changed: Plan): string[] {
  const wasShown = (resource: Resource) =>
    shown.resources.some((other) =>
      other.kind === 'opaque' ? resource.kind === 'opaque' : includes(other, resource),
    );
  return changed.resources.filter((resource) => !wasShown(resource)).map(nameOf);
}

function includes(shown: Resource, wanted: Resource): boolean {
  if (nameOf(shown) !== nameOf(wanted)) return false;
  return shown.kind === wanted.kind
    ? accessOf(shown) >= accessOf(wanted)
    : shown.kind === 'fs.write' && wanted.kind === 'fs.read';
}

const accessOf = (resource: Resource): number => ('access' in resource && resource.access === 'read' ? 0 : 1);

function nameOf(resource: Resource): string {
  switch (resource.kind) {
    case 'fs.read':
    case 'fs.write':
      return resource.path;
    case 'net':
      return resource.host;
    case 'mcp':
      return `${resource.server}/${resource.tool}`;
    case 'opaque':
      return resource.why;
  }
}

/** The same answer again gets the same reply: one that policy or the tool refused did not become a yes meanwhile. */
const repeatedReply = (call: ToolCall): Decision =>
  call.status === 'error' && call.startedAt === null ? refuse(call.failure) : repeated;

const answerOf = (call: ToolCall): Answer | null => ('answer' in call ? call.answer : null);

type AnswerIdentity = Pick<Answer, 'key' | 'by' | 'digest' | 'payloadDigest'> & { readonly outcome: string };

/**
 * A key distinguishes two answers with the same content; it does not make different ones the same. What an answer
 * carries is part of it: the reply to the first must not stand for changes that were never applied.
 */
export function isSameAnswer(given: AnswerIdentity, answer: AnswerIdentity): boolean {
  const isSame = given.by === answer.by && given.digest === answer.digest && given.outcome === answer.outcome;
  return isSame && given.key === answer.key && given.payloadDigest === answer.payloadDigest;
}

const tooLate = (call: ToolCall, given: Answer, answer: LateAnswer): Failure => ({
  code: 'already_answered',
  callId: call.request.callId,
  by: given.by,
  at: given.at,
  outcome: given.outcome,
  ...notApplied(given, answer),
});

type LateAnswer = Pick<Answer, 'payloadDigest'> & {
  readonly outcome: string;
  readonly payload: AnswerPayload;
};

/** In words: the parts of a refused answer that have no effect, and what the first one carried that this one does not. */
export function notApplied(
  given: Pick<Answer, 'answers' | 'payloadDigest'> & { readonly outcome: string },
  { outcome, payload, payloadDigest }: LateAnswer,
): { readonly notApplied?: readonly string[]; readonly carried?: string } {
  const isSame = given.payloadDigest === payloadDigest;
  const names = Object.entries(PAYLOAD_NAMES).flatMap(([member, name]) =>
    !isSame && Object.hasOwn(payload, member) ? [name] : [],
  );
  const lost = given.outcome === outcome ? names : [`the outcome "${outcome}"`, ...names];
  return {
    ...(lost.length > 0 && { notApplied: lost }),
    ...(!isSame && given.payloadDigest !== undefined && { carried: carriedBy(given) }),
  };
}

function carriedBy({ outcome, answers }: { readonly outcome: string; readonly answers?: Json }): string {
  if (outcome === 'cancel') return 'a message for the model or a request to stop';
  if (outcome !== 'proceed_once') return 'a scope or limits of its own';
  return answers === undefined ? 'changed arguments or answers of its own' : 'answers of its own';
}

const PAYLOAD_NAMES: { readonly [K in keyof AnswerPayload]-?: string } = {
  args: 'the changed arguments',
  newContent: 'the changed content',
  answers: 'the answers to its questions',
  feedback: 'the message for the model',
  stop: 'the request to stop',
  scope: 'the scope of the grant',
  expiresAt: 'the expiry of the grant',
  uses: 'the number of uses of the grant',
};

const notWaiting = (call: ToolCall): Failure => ({
  code: 'not_waiting',
  callId: call.request.callId,
  status: call.status,
});

const toAnswer = (input: AnswerInput): Answer => ({
  outcome: input.outcome,
  by: input.by,
  at: input.at,
  digest: input.digest,
  key: input.key,
  feedback: input.payload.feedback ?? null,
  ...(input.payload.answers !== undefined && { answers: input.payload.answers }),
  ...(input.payloadDigest !== undefined && { payloadDigest: input.payloadDigest }),
});
