import type { CallEvent, Event, EventOf } from '@countersign/protocol';
import { conflict } from '../world/expected.js';
import type { CallFacts, EventCheck, History } from '../world/history.js';
import type { Complain } from '../world/invariants.js';
import { thingOf } from '../world/tool-specs.js';

export type SimulatedLimits = {
  readonly runningMax: number;
  readonly attemptsMax: number;
  /** The tools whose results hooks look at before a call may end. */
  readonly listensTo: readonly string[];
};

/** Holds every fact against what must have come before it. */
export const checkLifecycle =
  (complain: Complain, limits: SimulatedLimits): EventCheck =>
  (history, event) => {
    const wrong = problemWith(history, event, limits);
    if (wrong) complain('lifecycle', `${event.type}${nameOf(event)}: ${wrong}`);
    if (event.type !== 'call.started') return;
    const facts = history.open.get(event.callId);
    const early = facts && tooEarly(facts);
    if (early) complain('exclusion', `${event.callId} was started ${early}`);
    const running = history.calls.filter((call) => call.isStarted && !call.end).length;
    if (running >= limits.runningMax)
      complain('limits', `${event.callId} was started beside ${running} others`);
  };

function problemWith(history: History, event: Event, limits: SimulatedLimits): string | null {
  switch (event.type) {
    case 'session.opened':
      return event.epoch === history.epoch + 1 ? null : `it follows life ${history.epoch}`;
    case 'turn.started':
      return event.turn === (history.turns.at(-1)?.turn ?? 0) + 1 ? null : 'its number does not follow';
    case 'turn.ended': {
      const [first] = history.openTurns;
      if (first?.turn !== event.turn) return 'it is not the oldest open turn';
      return first.calls.every(({ end }) => end) ? null : 'it has open calls';
    }
    case 'call.requested':
      return history.open.has(event.request.callId) ? 'the id is taken by an open call' : null;
    case 'grant.added':
      return history.grants.has(event.grant.id) ? 'it exists already' : null;
    case 'grant.revoked': {
      const grant = history.grants.get(event.grantId);
      return grant ? null : 'it does not exist';
    }
    case 'policy.loaded':
    case 'mode.changed':
    case 'turn.sealed':
    case 'message.added':
    case 'history.compressed':
    case 'history.masked':
    case 'command.accepted':
    case 'session.deleted':
      return null;
    default: {
      const facts = history.open.get(event.callId);
      if (!facts) return 'no open call has this id';
      return facts.end
        ? `the call ended before (${facts.end.type})`
        : problemWithCall(history, facts, event, limits);
    }
  }
}

function problemWithCall(
  history: History,
  facts: CallFacts,
  event: CallEvent,
  { attemptsMax, listensTo }: SimulatedLimits,
): string | null {
  switch (event.type) {
    case 'call.planned':
      return facts.permit && !mayBeAskedAgain(facts, history) ? 'it was already granted' : null;
    case 'call.rewritten':
      return facts.permit ? 'it was already granted' : null;
    case 'call.asked':
      if (facts.permit) return 'it was already granted';
      return facts.turn === history.openTurns[0] ? null : 'its turn has not come';
    case 'call.answered':
      if (facts.answer) return `${facts.answer.by} has answered before`;
      return facts.question?.digest === event.answer.digest ? null : 'it answers no question that waits';
    case 'call.granted':
      return facts.permit ? 'it was granted before' : null;
    case 'call.started':
      if (!facts.permit) return 'nobody granted it';
      if (facts.turn !== history.openTurns[0]) return 'its turn has not come';
      if (event.attempt !== facts.attempts.length + 1) return `it was started ${facts.attempts.length} times`;
      return !facts.isStarted && event.epoch === history.epoch ? null : 'it was started before';
    case 'call.retried':
      if (facts.aborting) return 'it is being stopped';
      if (facts.isLookedAt) return 'hooks check its result';
      if (facts.plan?.repeat !== 'safe') return 'it must not be repeated';
      if (event.attempt > attemptsMax) return `at most ${attemptsMax} attempts are allowed`;
      return event.attempt === facts.attempts.length + 1 && event.epoch === history.epoch
        ? null
        : 'out of order';
    case 'call.aborting':
      return facts.isStarted ? null : 'it does not run';
    case 'call.hooked':
      if (event.when === 'before') return facts.permit ? 'it was already granted' : null;
      return facts.isLookedAt ? null : 'there was nothing to look at';
    case 'call.finished':
      if (facts.aborting) return 'it is being stopped';
      return facts.isStarted && !facts.isLookedAt ? null : 'it does not run';
    case 'call.blocked':
      return problemWithBlock(facts, event);
    case 'call.succeeded':
      if (facts.aborting) return 'it was being stopped';
      if (listensTo.includes(facts.request.name) && !facts.isLookedAt) return 'hooks have not looked';
      return facts.isStarted ? null : 'it does not run';
    case 'call.failed':
      return facts.aborting ? 'it was being stopped' : null;
    case 'call.cancelled':
      return null;
  }
}

/** Granted by the rules of an earlier process, and not started: those of this one may ask. */
const mayBeAskedAgain = ({ permit, permittedIn, isStarted }: CallFacts, { epoch }: History): boolean =>
  permit?.by.type !== 'person' && permittedIn < epoch && !isStarted;

/** A run that the sandbox stopped is asked about: again, for more than before, and where somebody is there. */
function problemWithBlock(facts: CallFacts, event: EventOf<'call.blocked'>): string | null {
  if (!facts.isStarted || facts.isLookedAt) return 'it does not run';
  if (facts.aborting) return 'it is being stopped';
  if (!facts.turn.attended) return 'nobody is there to be asked';
  const before = facts.plan?.needs?.length ?? 0;
  if (event.plan.needs?.length !== before + 1) return 'it needs no more than it had';
  return event.plan.digest === facts.permit?.digest ? 'that was agreed to before' : null;
}

/** Why a call should not have been started yet; null if it could. */
function tooEarly(facts: CallFacts): string | null {
  const { turn, request, plan, rewritten } = facts;
  const waitsForAll = request.args['waits'] === true;
  if (!plan) return 'without a plan';
  for (const other of turn.calls) {
    if (other.request === request || other.end) continue;
    const isEarlier = other.request.index < request.index;
    if (turn.start === 'together' && !other.permit) return `while ${other.request.callId} is undecided`;
    // A call that a person changed goes behind those that have their place.
    if (isEarlier && !other.rewritten && waitsForAll) return `before ${other.request.callId} ended`;
    if (!other.plan) {
      if (isEarlier) return `while ${other.request.callId}, which could touch anything, is being planned`;
      continue;
    }
    if (!conflict(touchedBy(facts), touchedBy(other))) continue;
    if (other.isStarted) return `beside ${other.request.callId}`;
    if (isEarlier && !rewritten && !other.rewritten)
      return `before ${other.request.callId}, which comes first`;
  }
  return null;
}

/** What it really touches, whatever its plan says. */
const touchedBy = ({ spec, args }: CallFacts) => spec?.touches(thingOf(args)) ?? [];

function nameOf(event: Event): string {
  if ('callId' in event) return ` of ${event.callId}`;
  if ('turn' in event) return ` of turn ${event.turn}`;
  return '';
}
