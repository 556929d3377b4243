import {
  type CallEvent,
  type CallRequest,
  type CancelledCall,
  type ErroredCall,
  type Event,
  isSettled,
  type Plan,
  type ScheduledCall,
  type ToolCall,
} from '@countersign/protocol';
import { remember } from './accepted-commands.js';
import { enter, isFree, leave, noConflicts } from './conflicts.js';
import { assertMove, insist } from './moves.js';
import { activeTurn, type Session, type Turn, turnOf } from './session.js';

/**
 * Fold one fact into the session: the only writer of state, used live, on
 * replay and in every explorer. It refuses what cannot be (`KernelBug`).
 */
export function evolve(session: Session, event: Event): void {
  switch (event.type) {
    case 'session.opened':
      insist(event.epoch === session.epoch + 1, `epoch ${event.epoch} follows ${session.epoch}`);
      session.epoch = event.epoch;
      session.workspace = event.workspace;
      session.mode = event.mode;
      session.setup = event.setup ?? session.setup;
      forgetUnfinishedPlanning(session);
      return;
    case 'policy.loaded':
    case 'history.compressed':
    case 'history.masked':
      // What a model is shown is a matter of the conversation, which decides nothing here.
      return;
    case 'message.added':
      insist(event.message.id === session.lastMessage + 1, 'messages are numbered in order');
      session.lastMessage = event.message.id;
      return;
    case 'mode.changed':
      session.mode = event.mode;
      return;
    case 'command.accepted':
      remember(session.accepted, event);
      return;
    case 'session.deleted':
      // Of the store, which keeps it after the session is gone: nothing is left to change.
      return;
    case 'turn.started':
      // Numbers may be missing where a journal dropped what is over; they never come again.
      insist(event.turn > session.lastTurn, `turn ${event.turn} follows ${session.lastTurn}`);
      session.lastTurn = event.turn;
      session.turns.push(newTurn(event));
      return;
    case 'turn.sealed':
      openTurn(session, event.turn).sealed = true;
      return;
    case 'turn.ended':
      endTurn(session, event.turn);
      return;
    case 'grant.added':
      session.added.push(event.grant);
      return;
    case 'grant.revoked': {
      session.revoked.add(event.grantId);
      const index = session.added.findIndex((grant) => grant.id === event.grantId);
      if (index >= 0) session.added.splice(index, 1);
      return;
    }
    case 'call.requested':
      addCall(session, event.request);
      return;
    default:
      evolveCall(session, event);
  }
}

function evolveCall(session: Session, event: CallEvent): void {
  const call = session.calls.get(event.callId);
  insist(call, `${event.type} names ${event.callId}, which is not open`);
  const turn = openTurn(session, call.request.turn);
  switch (event.type) {
    case 'call.planned':
      return planned(session, turn, call, event);
    case 'call.asked':
      insist(
        call.status === 'validating' || call.status === 'awaiting_approval',
        'asked about a decided call',
      );
      insist(
        'plan' in call && call.plan.digest === event.question.digest,
        'asked about something else than the plan',
      );
      return put(session, turn, call, {
        status: 'awaiting_approval',
        request: call.request,
        plan: call.plan,
        verdict: call.verdict,
        question: event.question,
        step: 'asked',
        answer: null,
        advice: call.advice,
        starts: 'starts' in call ? call.starts : 0,
        left: 'left' in call ? call.left : null,
      });
    case 'call.answered':
      insist(
        call.status === 'awaiting_approval' && call.step === 'asked',
        'answered a call that was not asked about',
      );
      insist(event.answer.digest === call.question.digest, 'answered another question');
      return put(session, turn, call, { ...call, answer: event.answer });
    case 'call.rewritten': {
      insist(
        call.status === 'awaiting_approval' || (call.status === 'validating' && call.step === 'planning'),
        'rewrote a call that was decided',
      );
      insist(event.revision === call.request.revision + 1, 'rewrote another revision');
      const request = {
        ...call.request,
        args: event.args,
        argsHash: event.argsHash,
        revision: event.revision,
        changedBy: event.by,
      };
      return put(
        session,
        turn,
        call,
        call.status === 'validating' ? { ...call, request } : { ...call, request, step: 'replanning' },
      );
    }
    case 'call.hooked':
      insist(!isSettled(call), 'hooks looked at a call that is over');
      return;
    case 'call.granted':
      return granted(session, turn, call, event);
    case 'call.started':
      insist(call.status === 'scheduled', 'started a call that was not scheduled');
      insist(event.attempt === call.starts + 1, 'started out of order');
      insist(event.epoch === session.epoch, 'started in another life');
      // Here and where it succeeds, what the call keeps is written out: on a spread V8 builds far more slowly.
      return put(session, turn, call, {
        status: 'executing',
        request: call.request,
        plan: call.plan,
        permit: call.permit,
        answer: call.answer,
        verdict: call.verdict ?? null,
        attempt: event.attempt,
        epoch: event.epoch,
        startedAt: event.at,
        delayMs: 0,
        aborting: null,
        finished: null,
      });
    case 'call.retried':
      insist(call.status === 'executing' && call.aborting === null, 'retried a call that was not running');
      insist(call.finished === null, 'retried a call that had finished');
      insist(call.plan.repeat === 'safe', 'retried what must not be repeated');
      insist(event.attempt === call.attempt + 1 && event.epoch === session.epoch, 'retried out of order');
      return put(session, turn, call, {
        ...call,
        attempt: event.attempt,
        epoch: event.epoch,
        delayMs: event.delayMs,
      });
    case 'call.finished':
      insist(call.status === 'executing' && call.aborting === null, 'a call finished that was not running');
      insist(call.finished === null, 'a call finished twice');
      return put(session, turn, call, { ...call, finished: event.outcome });
    case 'call.blocked':
      insist(call.status === 'executing' && call.aborting === null, 'blocked a call that was not running');
      insist(call.finished === null, 'blocked a call that had finished');
      insist(event.attempt === call.attempt, 'blocked another attempt');
      insist(event.plan.digest === event.question.digest, 'asked about something else than the plan');
      insist(event.plan.digest !== call.plan.digest, 'asked again about what was granted');
      if (!sameResources(call.plan, event.plan)) moveToTheEnd(session, turn, event.callId, event.plan);
      withdrawOffer(turn, event.callId);
      return put(session, turn, call, {
        status: 'awaiting_approval',
        request: call.request,
        plan: event.plan,
        verdict: event.verdict,
        question: event.question,
        step: 'asked',
        answer: null,
        advice: null,
        starts: call.attempt,
        left: { output: event.partial?.output ?? '', mayHaveHappened: true },
      });
    case 'call.aborting':
      insist(call.status === 'executing', 'stopped a call that was not running');
      return put(session, turn, call, { ...call, aborting: event.reason });
    case 'call.succeeded':
      insist(call.status === 'executing' && call.aborting === null, 'a call succeeded that was not running');
      return put(session, turn, call, {
        status: 'success',
        request: call.request,
        plan: call.plan,
        permit: call.permit,
        answer: call.answer,
        verdict: call.verdict ?? null,
        attempt: call.attempt,
        startedAt: call.startedAt,
        endedAt: event.at,
        result: event.result,
      });
    case 'call.failed':
      return put(session, turn, call, {
        status: 'error',
        endedAt: event.at,
        failure: event.failure,
        partial: event.partial,
        ...unsuccessful(call),
      } satisfies ErroredCall);
    case 'call.cancelled':
      return put(session, turn, call, {
        status: 'cancelled',
        endedAt: event.at,
        reason: event.reason,
        partial: event.partial,
        ...unsuccessful(call),
      } satisfies CancelledCall);
  }
}

function planned(
  session: Session,
  turn: Turn,
  call: ToolCall,
  event: Extract<Event, { type: 'call.planned' }>,
): void {
  if (call.status === 'validating') {
    put(session, turn, call, {
      status: 'validating',
      request: call.request,
      step: 'judged',
      plan: event.plan,
      verdict: event.verdict,
      advice: event.advice ?? null,
    });
    takePlaces(session, turn);
    return;
  }
  if (call.status === 'scheduled') return reopened(session, turn, call, event);
  insist(call.status === 'awaiting_approval', 'planned a decided call');
  if (!sameResources(call.plan, event.plan)) moveToTheEnd(session, turn, call.request.callId, event.plan);
  put(session, turn, call, {
    ...call,
    plan: event.plan,
    verdict: event.verdict,
    advice: event.advice ?? null,
    step: 'replanning',
  });
}

/** The rules that allowed it no longer apply, and the current ones ask: it waits for its question, in its old place. */
function reopened(
  session: Session,
  turn: Turn,
  call: ScheduledCall,
  { plan, verdict }: Extract<Event, { type: 'call.planned' }>,
): void {
  insist(call.permit.by.type !== 'person', 'planned what a person has agreed to');
  const { request, starts, left } = call;
  if (!sameResources(call.plan, plan)) moveToTheEnd(session, turn, request.callId, plan);
  withdrawOffer(turn, request.callId);
  const confirmation = { type: 'info', title: plan.title, prompt: '', urls: [] } as const;
  // It cannot be answered before `call.asked` states what is shown.
  const question = { digest: plan.digest, confirmation, offers: [], askedAt: 0 };
  const waits = { status: 'awaiting_approval', step: 'replanning', answer: null, advice: null } as const;
  put(session, turn, call, { ...waits, request, plan, verdict, question, starts, left });
}

function granted(
  session: Session,
  turn: Turn,
  call: ToolCall,
  event: Extract<Event, { type: 'call.granted' }>,
): void {
  insist('plan' in call, 'granted a call without a plan');
  insist(call.plan.digest === event.permit.digest, 'the permit is for something else than the plan');
  const { by } = event.permit;
  const answer = call.status === 'awaiting_approval' ? call.answer : null;
  insist(by.type !== 'person' || answer !== null, "a person's permit needs their answer");
  put(session, turn, call, {
    status: 'scheduled',
    request: call.request,
    plan: call.plan,
    permit: event.permit,
    answer,
    verdict: 'verdict' in call ? call.verdict : null,
    starts: 'starts' in call ? call.starts : 0,
    left: 'left' in call ? call.left : null,
  });
  if (by.type === 'grant') session.claims.push(by.grantId);
}

/** Every change of a call passes here: the move is checked, the counters follow. */
function put(session: Session, turn: Turn, before: ToolCall, after: ToolCall): void {
  const id = after.request.callId;
  assertMove(before.status, after.status, id);
  session.calls.set(id, after);
  touch(session, id);
  if (before.status === after.status) return;

  if (before.status === 'awaiting_approval') session.waiting.delete(id);
  if (after.status === 'awaiting_approval') session.waiting.add(id);
  if (before.status === 'executing') session.running--;
  if (after.status === 'executing') session.running++;
  const wasDecided = before.status === 'executing' || before.status === 'scheduled';
  if (wasDecided && after.status === 'awaiting_approval') turn.undecided++;

  const wasUndecided = before.status === 'validating' || before.status === 'awaiting_approval';
  if (wasUndecided && after.status !== 'awaiting_approval') decided(session, turn);
  if (turn.shared) placeInShared(session, turn, after);
  if (after.status === 'scheduled') offerStart(session, turn, id);
  if (isSettled(after)) settled(session, turn, id);
}

/** One fact after the other is mostly about the same call. */
function touch(session: Session, id: string): void {
  if (session.touched.at(-1) !== id) session.touched.push(id);
}

function decided(session: Session, turn: Turn): void {
  turn.undecided--;
  if (turn.start === 'together' && turn.undecided === 0) {
    for (const id of turn.ids) offerStart(session, turn, id);
  }
}

function settled(session: Session, turn: Turn, id: string): void {
  turn.unsettled--;
  leave(turn.conflicts, id, (freed) => offerStart(session, turn, freed));
  takePlaces(session, turn);
}

/** Put a call among those that can start, if that is what it is. `schedule` looks again before it starts one. */
function offerStart(session: Session, turn: Turn, id: string): void {
  const call = session.calls.get(id);
  if (call?.status !== 'scheduled' || !isFree(turn.conflicts, id)) return;
  if (turn.start === 'together' && turn.undecided > 0) return;
  if (!call.request.within) turn.ready.push(id);
  // A running call waits for it. What was passed over leaves room in front; one list of both would be searched at every step.
  else if (turn.readyFrom > 0) turn.ready[--turn.readyFrom] = id;
  else turn.ready.unshift(id);
}

/** It was ready for a start that is over, which must not count for the next one. */
function withdrawOffer(turn: Turn, id: string): void {
  turn.ready = turn.ready.slice(turn.readyFrom).filter((other) => other !== id);
  turn.readyFrom = 0;
}

/**
 * Calls take their place among the conflicts strictly in request order, so one
 * that is still being planned holds back all later ones: it might touch
 * anything.
 */
function takePlaces(session: Session, turn: Turn): void {
  for (; turn.entered < turn.ids.length; turn.entered++) {
    const id = turn.ids[turn.entered];
    const call = id === undefined ? undefined : session.calls.get(id);
    if (!id || !call || (call.status === 'validating' && call.step === 'planning')) return;
    if ('plan' in call && !isSettled(call) && !(turn.shared && hasOwnPlace(turn, call))) {
      enter(turn.conflicts, id, call.plan);
      offerStart(session, turn, id);
    }
  }
}

/** Independent calls have no order before they are granted: a question gives its place up, and its answer gives it a new one. */
function placeInShared(session: Session, turn: Turn, call: ToolCall): void {
  const { callId } = call.request;
  const { entries } = turn.conflicts;
  if (call.status === 'awaiting_approval' && entries.has(callId))
    leave(turn.conflicts, callId, (freed) => offerStart(session, turn, freed));
  if (call.status === 'scheduled' && !entries.has(callId)) enter(turn.conflicts, callId, call.plan);
}

const hasOwnPlace = (turn: Turn, call: ToolCall): boolean =>
  call.status === 'awaiting_approval' || turn.conflicts.entries.has(call.request.callId);

/**
 * A person changed what a waiting call touches. Its old place says nothing
 * about its new resources, and later calls may already run: it goes behind all
 * that have a place now, which keeps exclusion and cannot deadlock.
 */
function moveToTheEnd(session: Session, turn: Turn, id: string, plan: Plan): void {
  if (!turn.conflicts.entries.has(id)) return;
  leave(turn.conflicts, id, (freed) => offerStart(session, turn, freed));
  enter(turn.conflicts, id, plan);
}

const sameResources = (a: Plan, b: Plan): boolean =>
  a.after === b.after && JSON.stringify(a.resources) === JSON.stringify(b.resources);

function addCall(session: Session, request: CallRequest): void {
  const turn = openTurn(session, request.turn);
  // What a hook asks for afterwards, or a call while it runs, belongs to the turn of that call.
  const mayJoin = !turn.sealed || turn.shared || request.followUp || request.within;
  insist(mayJoin, 'a call was added to a sealed turn');
  insist(!session.calls.has(request.callId), `the id ${request.callId} is taken`);
  insist(request.index === turn.ids.length, 'calls are added in order');
  session.calls.set(request.callId, { status: 'validating', request, step: 'planning' });
  session.touched.push(request.callId);
  turn.ids.push(request.callId);
  if (request.within) turn.nested.push(request.callId);
  turn.unsettled++;
  turn.undecided++;
}

function newTurn({ turn, start, attended, shared }: Extract<Event, { type: 'turn.started' }>): Turn {
  return {
    turn,
    start,
    attended: attended === 'somebody',
    shared: shared === true,
    ids: [],
    nested: [],
    sealed: false,
    unsettled: 0,
    undecided: 0,
    entered: 0,
    conflicts: noConflicts(),
    ready: [],
    readyFrom: 0,
  };
}

function endTurn(session: Session, number: number): void {
  const turn = activeTurn(session);
  insist(turn?.turn === number, `turn ${number} ended out of order`);
  insist(turn.sealed && turn.unsettled === 0, `turn ${number} ended with open calls`);
  for (const id of turn.ids) session.calls.delete(id);
  session.turns.shift();
  // The calls of the next turn may be planned from now on.
  for (const id of activeTurn(session)?.ids ?? []) session.touched.push(id);
}

/**
 * What a dead process had planned but neither asked about nor granted is
 * planned again: its preview died with it. Only an unsealed turn has such calls,
 * and none of its calls has started, so places are taken again too.
 */
function forgetUnfinishedPlanning(session: Session): void {
  for (const turn of session.turns) {
    if (!turn.sealed) {
      turn.conflicts = noConflicts();
      turn.entered = 0;
    }
    for (const id of turn.ids) {
      const call = session.calls.get(id);
      if (!call || isSettled(call)) continue;
      if (call.status === 'validating') {
        session.calls.set(id, { status: 'validating', request: call.request, step: 'planning' });
      }
      session.touched.push(id);
    }
  }
}

function openTurn(session: Session, number: number): Turn {
  const turn = turnOf(session, number);
  insist(turn, `turn ${number} is not open`);
  return turn;
}

/** What is still true of a call that ends without success. */
function unsuccessful(
  call: ToolCall,
): Pick<ErroredCall, 'request' | 'answer' | 'permit' | 'verdict' | 'startedAt'> {
  return {
    request: call.request,
    answer: 'answer' in call ? call.answer : null,
    ...('permit' in call && call.permit && { permit: call.permit }),
    verdict: ('verdict' in call && call.verdict) || null,
    startedAt: 'startedAt' in call ? call.startedAt : null,
  };
}
