import type { Input } from '@countersign/kernel';
import type { Event, Status } from '@countersign/protocol';
import type { Findings } from './properties.js';
import type { Fact } from './scene.js';
import { asSeen, isOver, type SeenCall, type Watching } from './seen.js';
import { targetIn } from './truth.js';
import { watchCall } from './watch-call.js';

/** SPEC L1, written down a second time. A call stays where it is when it is edited or tried again. */
export const MOVES_OF_SPEC: { readonly [from in Status | 'new']: readonly Status[] } = {
  new: ['validating'],
  validating: ['awaiting_approval', 'scheduled', 'error', 'cancelled'],
  awaiting_approval: ['awaiting_approval', 'scheduled', 'cancelled', 'error'],
  scheduled: ['executing', 'cancelled'],
  executing: ['executing', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
};

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
      return;
    }
    case 'turn.sealed':
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
      return watchRequest(watching, event.request, findings);
    default: {
      const call = watching.calls.get(event.callId);
      const isOpen = call !== undefined && !isOver(call);
      findings.hold('settled', isOpen, () => `${event.type} for ${event.callId}, which is over`);
      if (!call || status === null) return;
      watchMove(call, status, event.type, findings);
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

function watchRequest(
  watching: Watching,
  { callId, name, args, turn, index, waitForPrevious }: Extract<Event, { type: 'call.requested' }>['request'],
  findings: Findings,
): void {
  findings.hold('settled', !watching.calls.has(callId), () => `the id ${callId} is in use`);
  watching.calls.set(callId, {
    callId,
    tool: name,
    target: targetIn(args),
    turn,
    index,
    after: waitForPrevious ? 'everything' : 'conflicts',
    status: 'validating',
    plan: null,
    plans: 0,
    moved: false,
    shown: null,
    unseen: false,
    answer: null,
    agreed: null,
    licence: null,
    starts: 0,
    running: null,
    startedIn: null,
    stopped: false,
  });
}

function watchMove(call: SeenCall, to: Status, why: string, findings: Findings): void {
  const stays = call.status === to && !isOver(call);
  const allowed = stays || MOVES_OF_SPEC[call.status].includes(to);
  findings.hold('moves', allowed, () => `${why} moved ${call.callId} from ${call.status} to ${to}`);
}
