import type { Input } from '@countersign/kernel';
import type { CallRequest, Event, Status } from '@countersign/protocol';
import type { Findings } from '../world/properties.js';
import type { Fact } from '../world/scene.js';
import { asSeen, isOver, type SeenCall, type Watching } from '../world/seen.js';
import { targetIn } from '../world/truth.js';
import { watchCall } from './watch-call.js';

/**
 * SPEC L1, written down a second time. A call stays where it is when it is edited or tried again. One that is scheduled is
 * asked about again only when a process resumes the session whose rules ask about what the one before allowed.
 */
export const MOVES_OF_SPEC: { readonly [from in Status | 'new']: readonly Status[] } = {
  new: ['validating'],
  validating: ['awaiting_approval', 'scheduled', 'error', 'cancelled'],
  awaiting_approval: ['awaiting_approval', 'scheduled', 'cancelled', 'error'],
  scheduled: ['awaiting_approval', 'executing', 'cancelled'],
  executing: ['executing', 'awaiting_approval', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
};

const isStreamed = ({ type }: Input): boolean => type === 'stream.call' || type === 'stream.ended';

/** Take note of a fact, and object to it where it may not be. */
export function watchFact(
  watching: Watching,
  { event, status }: Fact,
  input: Input,
  findings: Findings,
): void {
  switch (event.type) {
    case 'session.opened':
      return watchOpening(watching, event, input, findings);
    case 'policy.loaded':
      watching.policy = event.hash === 'strict' ? 'strict' : 'usual';
      return;
    case 'mode.changed':
      watching.mode = event.mode;
      return;
    case 'turn.started': {
      const { turn, start, attended } = event;
      watching.turns = [...watching.turns, { turn, start, attended: attended === 'somebody' }];
      if (isStreamed(input)) watching.stream = { turn, came: 0 };
      return;
    }
    case 'turn.sealed':
      if (watching.stream?.turn === event.turn) {
        watching.stream = null;
        watching.batches++;
      }
      return;
    case 'message.added':
    case 'history.compressed':
    case 'history.masked':
    case 'command.accepted':
    case 'session.deleted':
      return;
    case 'turn.ended':
      return watchTurnEnd(watching, event.turn, findings);
    case 'grant.added':
      return watchGrant(watching, event, input, findings);
    case 'grant.revoked':
      // Known since the command was accepted.
      return;
    case 'call.requested':
      findings.hold('moves', status === 'validating', () => `a new call is ${status}`);
      if (isStreamed(input) && watching.stream)
        watching.stream = { ...watching.stream, came: watching.stream.came + 1 };
      if (event.request.followUp) watchFollowUp(watching, event.request, input, findings);
      return watchRequest(watching, event.request, findings);
    default: {
      const call = watching.calls.get(event.callId);
      const isOpen = call !== undefined && !isOver(call);
      findings.hold('settled', isOpen, () => `${event.type} for ${event.callId}, which is over`);
      if (!call || status === null) return;
      watchMove(call, status, event.type, input, findings);
      watchCall(watching, watching.change(call, { status }), event, input, findings);
    }
  }
}

function watchOpening(
  watching: Watching,
  { epoch, mode }: Extract<Event, { type: 'session.opened' }>,
  input: Input,
  findings: Findings,
): void {
  const wished = input.type === 'open' ? input.mode : null;
  findings.hold('restart', epoch === watching.epoch + 1, () => `epoch ${epoch} follows ${watching.epoch}`);
  findings.hold('restart', mode === (wished ?? watching.mode), () => `${watching.mode} became ${mode}`);
  watching.epoch = epoch;
  watching.mode = mode;
}

function watchTurnEnd(watching: Watching, number: number, findings: Findings): void {
  const [oldest, ...others] = watching.turns;
  findings.hold('complete', oldest?.turn === number, () => `turn ${number} ended before ${oldest?.turn}`);
  for (const call of [...watching.calls.values()]) {
    if (call.turn !== number) continue;
    findings.hold('complete', isOver(call), () => `turn ${number} ended, ${call.callId} is ${call.status}`);
    watching.calls.delete(call.callId);
    watching.gone.set(call.callId, call);
  }
  watching.turns = others;
}

function watchGrant(
  watching: Watching,
  { grant, callId }: Extract<Event, { type: 'grant.added' }>,
  input: Input,
  findings: Findings,
): void {
  const answer = input.type === 'answer' && input.callId === callId ? input : null;
  const shown = (answer && watching.calls.get(callId)?.shown?.offers.get(answer.outcome)) ?? null;
  const [made, offered] = [grant.pattern, shown].map((pattern) => JSON.stringify(pattern));
  findings.hold('grantMade', made === offered, () => `${grant.id} allows ${made}, shown was ${offered}`);
  const asWished = grant.uses === (answer?.payload.uses ?? null);
  findings.hold('grantMade', asWished, () => `${grant.id} has ${grant.uses} uses`);
  watching.setGrant(grant.id, asSeen(grant));
}

function watchRequest(watching: Watching, request: CallRequest, findings: Findings): void {
  const { callId, name, args, turn, index, waitForPrevious, followUp } = request;
  findings.hold('settled', !watching.calls.has(callId), () => `the id ${callId} is in use`);
  watching.calls.set(callId, {
    callId,
    tool: name,
    target: targetIn(args),
    turn,
    index,
    depth: followUp?.depth ?? 0,
    after: waitForPrevious ? 'everything' : 'conflicts',
    status: 'validating',
    plan: null,
    plans: 0,
    moved: false,
    advice: null,
    shown: null,
    unseen: false,
    answer: null,
    agreed: null,
    licence: null,
    starts: 0,
    startsOnPermit: 0,
    blocked: false,
    finished: null,
    running: null,
    startedIn: null,
    stopped: false,
  });
}

/** How many calls that hooks ask for may follow on one another. */
const FOLLOW_UPS_MAX = 5;

/** It was requested by a hook that had just seen the end of another, and of nothing that somebody stopped. */
function watchFollowUp(
  watching: Watching,
  { callId, turn, index, name, args, followUp }: CallRequest,
  input: Input,
  findings: Findings,
): void {
  const parent = followUp && watching.calls.get(followUp.callId);
  const wish = input.type === 'hooks.ended' && input.callId === parent?.callId ? input.followUp : null;
  const isWished = wish?.name === name && targetIn(wish.args) === targetIn(args);
  findings.hold('followUp', isWished, () => `no hook asked for ${callId}`);
  if (!parent) return;
  const inPlace = parent.turn === turn && index === watching.siblings(parent).length + 1;
  findings.hold('followUp', inPlace, () => `${callId} is number ${index} of turn ${turn}`);
  const follows = isOver(parent) && !parent.stopped;
  findings.hold('followUp', follows, () => `${callId} follows ${parent.callId}, which is ${parent.status}`);
  const depth = parent.depth + 1;
  const counted = followUp.depth === depth && depth <= FOLLOW_UPS_MAX;
  findings.hold('followUp', counted, () => `${callId} is ${followUp.depth} deep, ${depth} it should be`);
}

/** What hooks asked for is there, unless it would be one too many or somebody stopped the call. */
export function watchWish(
  watching: Watching,
  { callId, followUp }: Extract<Input, { type: 'hooks.ended' }>,
  facts: readonly Fact[],
  findings: Findings,
): void {
  const parent = watching.latest(callId);
  if (!parent || facts.length === 0) return;
  const requested = facts.flatMap(({ event }) => (event.type === 'call.requested' ? [event.request] : []));
  const expected = followUp && !parent.stopped && parent.depth < FOLLOW_UPS_MAX ? 1 : 0;
  findings.hold(
    'followUp',
    requested.length === expected,
    () => `${callId} is followed by ${requested.length} calls`,
  );
  const [request] = requested;
  if (request && followUp?.failure) {
    const { status } = watching.latest(request.callId) ?? {};
    findings.hold('broken', status === 'error', () => `${request.callId} is ${status}`);
  }
}

function watchMove(call: SeenCall, to: Status, why: string, input: Input, findings: Findings): void {
  const stays = call.status === to && !isOver(call);
  const isAskedAgain = call.status === 'scheduled' && to === 'awaiting_approval';
  const isInTable = MOVES_OF_SPEC[call.status].includes(to) && (!isAskedAgain || input.type === 'open');
  const allowed = stays || isInTable;
  findings.hold('moves', allowed, () => `${why} moved ${call.callId} from ${call.status} to ${to}`);
}
