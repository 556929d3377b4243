import { type Event, type ExecutingCall, isSettled, type ScheduledCall } from '@countersign/protocol';
import type { Circumstances, InputOf } from '../state/input.js';
import type { Session, Turn } from '../state/session.js';
import { withdraw } from './decide-cancel.js';
import { brokenOff } from './decide-stream.js';
import { type Decision, facts, refuse } from './decision.js';
import { cancelled } from './endings.js';
import { judgedAgain, judgementOf } from './judge-again.js';
import { freeId, toRequest } from './requests.js';
import { setupGaps } from './setup-gaps.js';

/** A process resumes the session: what was running in the previous one is continued, repeated, or reported as interrupted. */
export function decideOpen(session: Session, input: InputOf<'open'>, circumstances: Circumstances): Decision {
  const missing = setupGaps(session.setup, input.setup);
  if (missing.length > 0) return refuse({ code: 'session_setup', sessionId: session.id, missing });
  const epoch = session.epoch + 1;
  const { setup } = input;
  const events: Event[] = [
    {
      type: 'session.opened',
      epoch,
      at: input.at,
      workspace: input.workspace,
      mode: input.mode ?? session.mode,
      ...(setup && { setup }),
    },
    { type: 'policy.loaded', hash: input.policyHash, at: input.at },
  ];
  for (const call of session.calls.values()) {
    // A resumable call may still be running: it stays as it is, and is resumed. A result that AfterTool hooks were
    // checking is shown to them again.
    if (call.status === 'executing' && call.plan.repeat !== 'resumable' && !call.finished)
      events.push(afterTheCrash(session, call, input, circumstances));
    // The call that waited for it ended with the previous process.
    if (call.request.within && call.status !== 'executing' && !isSettled(call))
      events.push(cancelled(call, { type: 'aborted', by: 'restart' }, input.at));
    else if (call.status === 'scheduled' && !isGone(call, input.goneGrants))
      events.push(...judgedAgain(session, call, input, circumstances));
  }
  // A response that was being received when the process died is incomplete.
  for (const { turn, sealed } of session.turns)
    if (!sealed) events.push(...brokenOff(session, turn, { type: 'aborted', by: 'restart' }, input.at));
  // What is revoked starts nothing, and everything granted is about to start.
  return facts([...events, ...withdraw(session, input.goneGrants, input.at)]);
}

const isGone = ({ permit: { by } }: ScheduledCall, goneGrants: readonly string[]): boolean =>
  by.type === 'grant' && goneGrants.includes(by.grantId);

function afterTheCrash(
  session: Session,
  call: ExecutingCall,
  input: InputOf<'open'>,
  circumstances: Circumstances,
): Event {
  const { at } = input;
  const { callId } = call.request;
  const partial = { output: '', mayHaveHappened: true };
  if (call.aborting) return { type: 'call.cancelled', callId, reason: call.aborting, partial, at };
  const because = { code: 'interrupted', attempt: call.attempt } as const;
  const judgement = judgementOf(session, call, input, circumstances);
  if (judgement.type === 'denied')
    return { type: 'call.failed', callId, failure: judgement.failure, partial, at };
  const mayRepeat = call.plan.repeat === 'safe' && judgement.type === 'permitted';
  if (mayRepeat && call.attempt < circumstances.limits.attemptsMax) {
    const [epoch, attempt] = [session.epoch + 1, call.attempt + 1];
    return { type: 'call.retried', callId, attempt, epoch, delayMs: 0, because, at };
  }
  return { type: 'call.failed', callId, failure: because, partial, at };
}

/** A batch becomes a turn: asked for, complete, and in line behind the open ones. Independent calls join a turn of such calls. */
export function decideCall(session: Session, input: InputOf<'call'>): Decision {
  const busyWith = session.turns[0];
  if (busyWith && input.whenBusy === 'reject') return refuse({ code: 'busy', turn: busyWith.turn });

  const joins = input.whenBusy === 'join';
  const joined = joins ? session.turns.findLast((open) => mayBeJoined(open, input)) : undefined;
  const turn = joined?.turn ?? session.lastTurn + 1;
  const from = joined?.ids.length ?? 0;
  const attended = input.attended ? 'somebody' : 'nobody';
  const shared = joins && { shared: true as const };
  const events: Event[] = joined
    ? []
    : [{ type: 'turn.started', turn, at: input.at, start: input.start, attended, ...shared }];
  const failed: Event[] = [];
  const taken = new Set<string>();
  input.calls.forEach((call, index) => {
    const { failure } = call;
    const callId = freeId(call.wireId, (id) => taken.has(id) || session.calls.has(id));
    taken.add(callId);
    events.push({ type: 'call.requested', request: toRequest(call, callId, turn, from + index, input.at) });
    if (failure) failed.push({ type: 'call.failed', callId, failure, partial: null, at: input.at });
  });
  if (!joined) events.push({ type: 'turn.sealed', turn });
  return facts([...events, ...failed]);
}

/** Calls are held in memory until their turn is over; further ones begin a new turn, which waits for this one. */
const SHARED_CALLS_MAX = 10_000;

const mayBeJoined = (turn: Turn, { start, attended }: InputOf<'call'>): boolean =>
  turn.shared && turn.start === start && turn.attended === attended && turn.ids.length < SHARED_CALLS_MAX;
