import type { Event, EventOf, EventType } from './event.js';

/** The properties of all events of a type, for readers that need not look into one. */
export type EventKind = {
  /** What it is about, and so how long it counts: a journal in memory forgets calls and turns that are over. */
  readonly about: 'session' | 'turn' | 'call';
  /** Whether it must survive a power failure before anything acts on it. 'start': if what it starts must not be repeated. */
  readonly onDisk: 'always' | 'start' | 'never';
  /** Whether it raises a question about its call, settles one that waits, or neither. */
  readonly question: 'raised' | 'settled' | 'unchanged';
};

const SESSION = { about: 'session', onDisk: 'never', question: 'unchanged' } as const;
const LASTING = { ...SESSION, onDisk: 'always' } as const;
const TURN = { about: 'turn', onDisk: 'never', question: 'unchanged' } as const;
const CALL = { about: 'call', onDisk: 'never', question: 'unchanged' } as const;
const ASKED = { ...CALL, question: 'raised' } as const;
const SETTLED = { ...CALL, question: 'settled' } as const;

export const EVENT_KINDS = {
  'session.opened': SESSION,
  'policy.loaded': SESSION,
  'mode.changed': SESSION,
  'message.added': SESSION,
  'history.compressed': SESSION,
  'history.masked': SESSION,
  'command.accepted': SESSION,
  'session.deleted': LASTING,
  // A client has received the confirmation that it was added, or revoked.
  'grant.added': LASTING,
  'grant.revoked': LASTING,
  'turn.started': TURN,
  'turn.sealed': TURN,
  'turn.ended': TURN,
  'call.requested': CALL,
  'call.planned': CALL,
  'call.hooked': CALL,
  'call.asked': ASKED,
  'call.blocked': ASKED,
  // A client has received the confirmation that it was accepted.
  'call.answered': { ...SETTLED, onDisk: 'always' },
  'call.rewritten': SETTLED,
  'call.granted': SETTLED,
  'call.started': { ...CALL, onDisk: 'start' },
  'call.retried': CALL,
  'call.aborting': CALL,
  'call.finished': CALL,
  'call.succeeded': SETTLED,
  'call.failed': SETTLED,
  'call.cancelled': SETTLED,
} as const satisfies { readonly [T in EventType]: EventKind };

/** Whether a stored type is one that this program knows. */
export const isEventType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(EVENT_KINDS, type);

/** Events about a session, a turn or a call. */
export type EventAbout<A extends EventKind['about']> = {
  [T in EventType]: (typeof EVENT_KINDS)[T]['about'] extends A ? EventOf<T> : never;
}[EventType];

/** Those that happen to a call that is there already. */
export type CallEvent = Exclude<EventAbout<'call'>, { type: 'call.requested' }>;

export const isAbout = <A extends EventKind['about']>(event: Event, about: A): event is EventAbout<A> =>
  EVENT_KINDS[event.type].about === about;

/** The call that an event names; null for one that names none. */
export function callIdOf(event: Event): string | null {
  if (event.type === 'call.requested') return event.request.callId;
  return 'callId' in event ? event.callId : null;
}
