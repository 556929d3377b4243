import type { ApprovalMode, Grant, SessionSetup, StartRule, ToolCall } from '@countersign/protocol';
import type { AcceptedCommands } from './accepted-commands.js';
import type { Conflicts } from './conflicts.js';

/**
 * The fold of a session's facts, holding only the open turns: what is over is
 * in the journal and decides nothing any more.
 *
 * `evolve` owns these containers and changes them in place; a call in them is
 * replaced, never changed, so a reference to one is a snapshot.
 */
export type Session = {
  readonly id: string;
  /** How many processes have opened this session so far. */
  epoch: number;
  workspace: string;
  mode: ApprovalMode;
  /** What the last process that opened it had loaded; null if nothing is known of that. */
  setup: SessionSetup | null;
  /** The number of the latest turn, open or over. */
  lastTurn: number;
  /** The number of the latest message. */
  lastMessage: number;
  /** Open turns, oldest first. Only the first is worked on; the others queue. */
  readonly turns: Turn[];
  readonly calls: Map<string, ToolCall>;
  /** Calls that wait for an answer. */
  readonly waiting: Set<string>;
  running: number;
  /** Grants added and uses taken by facts that the store has not yet confirmed. */
  readonly added: Grant[];
  readonly claims: string[];
  /** Grants revoked here: the store lists them until the revocation is written, and ids are never reused. */
  readonly revoked: Set<string>;
  /** Commands that their senders may send again, with their replies. */
  readonly accepted: AcceptedCommands;
  /** Calls changed since the shell last looked; may name one twice. */
  touched: string[];
};

export type Turn = {
  readonly turn: number;
  readonly start: StartRule;
  readonly attended: boolean;
  /** Its calls are independent of one another: later ones join it, and one that waits for an answer holds back no other. */
  readonly shared: boolean;
  readonly ids: string[];
  /** Those of them that running calls requested. */
  readonly nested: string[];
  sealed: boolean;
  unsettled: number;
  undecided: number;
  /** How many calls, in request order, have taken their place among the conflicts. */
  entered: number;
  conflicts: Conflicts;
  /** Calls that could start now: what running ones wait for, then the others in the order they became able to. */
  ready: string[];
  readyFrom: number;
};

export const emptySession = (id: string): Session => ({
  id,
  epoch: 0,
  workspace: '',
  mode: 'manual',
  setup: null,
  lastTurn: 0,
  lastMessage: 0,
  turns: [],
  calls: new Map(),
  waiting: new Set(),
  running: 0,
  added: [],
  claims: [],
  revoked: new Set(),
  accepted: { byKey: new Map(), byCallId: new Map() },
  touched: [],
});

export const activeTurn = (session: Session): Turn | undefined => session.turns[0];

export function turnOf(session: Session, turn: number): Turn | undefined {
  return session.turns.find((open) => open.turn === turn);
}
