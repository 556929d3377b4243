import { z } from 'zod';
import { type Event, type EventOf, type EventType, isEventType, type ToolOutcome } from '../index.js';
import { ack, commandIdentityFields } from './accepted-command.js';
import { failure } from './failure.js';
import {
  advice,
  answer,
  attended,
  cancelReason,
  grant,
  jsonObject,
  message,
  mode,
  notes,
  number,
  partial,
  permit,
  plan,
  question,
  request,
  result,
  setup,
  startRule,
  text,
  textOrNull,
  usage,
  verdict,
} from './parts.js';

export type ParsedEvent =
  | { readonly ok: true; readonly event: Event }
  | { readonly ok: false; readonly problem: string };

/** The one place where what was stored becomes an `Event`. */
export function parseEvent(stored: unknown): ParsedEvent {
  const value = upcast(stored);
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (typeof type !== 'string') return { ok: false, problem: 'it has no type' };
  if (!isEventType(type)) {
    return { ok: false, problem: `this program is too old to know "${type}"; update Countersign to read it` };
  }
  const parsed = SCHEMAS[type].safeParse(value);
  return parsed.success
    ? { ok: true, event: parsed.data }
    : { ok: false, problem: firstProblem(type, parsed.error) };
}

/** Bring an event of an older release to today's shape. There is none yet: this is the first. */
const upcast = (stored: unknown): unknown => stored;

function firstProblem(type: EventType, error: z.ZodError): string {
  const issue = error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  return `${type}${where}: ${issue?.message ?? 'not valid'}`;
}

const toolOutcome: z.ZodType<ToolOutcome> = z.union([
  z.looseObject({ ok: z.literal(true), result }),
  z.looseObject({ ok: z.literal(false), failure, partial: partial.nullable() }),
]);

const SCHEMAS: { readonly [T in EventType]: z.ZodType<EventOf<T>> } = {
  'session.opened': of('session.opened', {
    epoch: number,
    at: number,
    workspace: text,
    mode,
    setup: setup.exactOptional(),
  }),
  'policy.loaded': of('policy.loaded', { hash: text, at: number }),
  'mode.changed': of('mode.changed', { mode, by: text, at: number }),
  'turn.started': of('turn.started', {
    turn: number,
    at: number,
    start: startRule,
    attended,
    shared: z.literal(true).exactOptional(),
  }),
  'turn.sealed': of('turn.sealed', { turn: number }),
  'turn.ended': of('turn.ended', { turn: number, at: number }),
  'call.requested': of('call.requested', { request }),
  'call.planned': of('call.planned', { callId: text, plan, verdict, advice: advice.exactOptional() }),
  'call.hooked': of('call.hooked', { callId: text, when: z.enum(['before', 'after']), notes, at: number }),
  'call.asked': of('call.asked', { callId: text, question }),
  'call.answered': of('call.answered', { callId: text, answer }),
  'call.rewritten': of('call.rewritten', {
    callId: text,
    revision: number,
    args: jsonObject,
    argsHash: text,
    by: text,
  }),
  'call.granted': of('call.granted', { callId: text, permit }),
  'call.started': of('call.started', { callId: text, attempt: number, epoch: number, at: number }),
  'call.retried': of('call.retried', {
    callId: text,
    attempt: number,
    epoch: number,
    delayMs: number,
    because: failure,
    at: number,
  }),
  'call.aborting': of('call.aborting', { callId: text, reason: cancelReason, at: number }),
  'call.finished': of('call.finished', { callId: text, outcome: toolOutcome, at: number }),
  'call.blocked': of('call.blocked', {
    callId: text,
    attempt: number,
    because: failure,
    partial: partial.nullable(),
    plan,
    verdict,
    question,
    at: number,
  }),
  'call.succeeded': of('call.succeeded', { callId: text, result, at: number }),
  'call.failed': of('call.failed', { callId: text, failure, partial: partial.nullable(), at: number }),
  'call.cancelled': of('call.cancelled', {
    callId: text,
    reason: cancelReason,
    partial: partial.nullable(),
    at: number,
  }),
  'message.added': of('message.added', { message, forkedFrom: text.exactOptional() }),
  'history.compressed': of('history.compressed', {
    summary: text,
    keptFrom: number,
    usage: usage.nullable(),
    at: number,
    forkedFrom: text.exactOptional(),
  }),
  'history.masked': of('history.masked', { throughTurn: number, at: number }),
  'command.accepted': of('command.accepted', { ...commandIdentityFields, reply: ack, at: number }),
  'session.deleted': of('session.deleted', {
    sessionId: text,
    workspace: text,
    by: text,
    at: number,
    key: textOrNull,
  }),
  'grant.added': of('grant.added', { grant, callId: text }),
  'grant.revoked': of('grant.revoked', { grantId: text, by: text, at: number }),
};

function of<T extends EventType, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.looseObject({ type: z.literal(type), ...shape });
}
