import { type Circumstances, evolve, type Input, type Session, type Step, step } from '@countersign/kernel';
import {
  type Ack,
  type CommandIdentity,
  callIdOf,
  EVENT_KINDS,
  type Event,
  type Fact,
  type ToolCall,
} from '@countersign/protocol';
import type { ViewChange } from '../journal/index.js';
import { earlierReply } from './earlier-reply.js';
import { viewChanges } from './views.js';

/** An input for the kernel, and the caller that waits for its result. */
export type Mail = {
  /** null: settled before the kernel saw it; its sender must still be answered. */
  readonly input: Input | null;
  readonly settled: Ack | null;
  readonly reply: ((ack: Ack) => void) | null;
  readonly inboxId: number | null;
  /** Of a command that its sender may send again; its reply is written with its events. */
  readonly identity: CommandIdentity | null;
  /** Called with the number of a turn and the ids of its calls before anything of them can be over. */
  readonly onTurn: ((turn: number, callIds: readonly string[]) => void) | null;
};

export const report = (input: Input): Mail => ({
  input,
  settled: null,
  reply: null,
  inboxId: null,
  identity: null,
  onTurn: null,
});

/** The result of a drain of the mailbox: everything that one append needs, and the replies to send afterwards. */
export type Work = {
  readonly events: readonly Event[];
  readonly views: readonly ViewChange[];
  /** One for each mail, in its place; null where no sender waits. */
  readonly acks: readonly (Ack | null)[];
  readonly consumed: readonly { readonly inboxId: number; readonly ack: Ack }[];
  readonly sync: 'full' | 'normal';
  readonly watched: readonly Fact[] | null;
};

export type Deciding = {
  readonly session: Session;
  readonly circumstances: Circumstances;
  /** How many facts the session has in the journal. */
  readonly seq: number;
  readonly watched: 'yes' | 'no';
  readonly observe: (event: Event, session: Session) => void;
};

/** Take every mail in turn. The session is ahead of the journal afterwards: nothing may act on it before it is written. */
export function decideAll(batch: readonly Mail[], deciding: Deciding): Work {
  const { session, circumstances, seq } = deciding;
  const events: Event[] = [];
  const views: ViewChange[] = [];
  const acks: (Ack | null)[] = [];
  const consumed: { readonly inboxId: number; readonly ack: Ack }[] = [];
  let sync: 'full' | 'normal' = 'normal';
  const watched: Fact[] | null = deciding.watched === 'yes' ? [] : null;
  const observe = (event: Event, after: Session) => {
    watched?.push({ seq: seq + events.length, event, call: callOf(event, after) });
    events.push(event);
    const changes = viewChanges(event, after);
    if (changes.length > 0) views.push(...changes);
    if (mustBeOnDisk(event, after)) sync = 'full';
    deciding.observe(event, after);
  };
  for (const { input, settled, inboxId, reply, identity } of batch) {
    const from = events.length;
    const earlier = identity && earlierReply(session, identity);
    const taken = input && !earlier ? step(session, input, circumstances, observe) : null;
    if (reply === null && inboxId === null) {
      // Reports are most of the mail, and no sender waits for a reply.
      acks.push(null);
      continue;
    }
    const ack =
      settled ??
      earlier ??
      (input && taken && ackOf(taken, input, events, from, seq + events.length + (identity ? 1 : 0)));
    acks.push(ack);
    // What was refused without any effect is decided again if it comes again.
    if (input && identity && ack && !earlier && (ack.ok || events.length > from)) {
      const accepted: Event = { type: 'command.accepted', ...identity, reply: ack, at: input.at };
      evolve(session, accepted);
      observe(accepted, session);
    }
    // An answer about an unknown call is looked up in the store before its sender gets a reply.
    const isHeldBack = input?.type === 'answer' && ack && isUnknownCall(ack);
    if (inboxId !== null && ack && !isHeldBack) consumed.push({ inboxId, ack });
  }
  return { events, views, acks, consumed, sync, watched };
}

export const isUnknownCall = (ack: Ack): boolean => !ack.ok && ack.failure.code === 'unknown_call';

/** `from`: the first of the facts of the step. */
function ackOf(
  { refusal, repeated }: Step,
  { type }: Input,
  events: readonly Event[],
  from: number,
  seq: number,
): Ack {
  if (refusal) return { ok: false, failure: refusal };
  const turn = turnIn(events[from], type);
  if (turn === null) return repeated ? { ok: true, seq, repeated } : { ok: true, seq };
  const callIds: string[] = [];
  for (let index = from; index < events.length; index++) {
    const event = events[index];
    if (event?.type === 'call.requested') callIds.push(event.request.callId);
  }
  return { ok: true, seq, turn, callIds };
}

/** The turn that an input began, or that its calls joined. */
function turnIn(first: Event | undefined, input: Input['type']): number | null {
  if (first?.type === 'turn.started') return first.turn;
  return first?.type === 'call.requested' && input === 'call' ? first.request.turn : null;
}

function callOf(event: Event, session: Session): ToolCall | undefined {
  const callId = callIdOf(event);
  return callId === null ? undefined : session.calls.get(callId);
}

/** Even a power cut must not undo these: a start that cannot be repeated, an answer that was confirmed, a grant. */
function mustBeOnDisk(event: Event, session: Session): boolean {
  const { onDisk } = EVENT_KINDS[event.type];
  if (onDisk !== 'start') return onDisk === 'always';
  const call = callOf(event, session);
  return call?.status === 'executing' && call.plan.repeat !== 'safe';
}
