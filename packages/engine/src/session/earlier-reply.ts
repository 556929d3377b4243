import { commandKey, type Session } from '@countersign/kernel';
import type { Ack, CallIdentity, CommandIdentity } from '@countersign/protocol';

/**
 * The reply to a command that was sent before, or the refusal of one that only looks like it; null for a new command.
 * With a key, the key alone decides. Without one, the ids of calls do.
 */
export function earlierReply(session: Session, identity: CommandIdentity): Ack | null {
  const { byKey, byCallId } = session.accepted;
  const { by, key, digest, calls = [] } = identity;
  if (key !== null) {
    const earlier = byKey.get(commandKey(by, key));
    if (!earlier) return null;
    return earlier.digest === digest
      ? again(earlier.reply)
      : { ok: false, failure: { code: 'key_reused', key } };
  }
  const used = calls.find(({ callId }) => callId !== null && byCallId.has(callId));
  if (!used || used.callId === null) return null;
  const earlier = byCallId.get(used.callId);
  return earlier && isPartOf(calls, earlier.calls ?? [])
    ? again(replyOf(calls, earlier.calls ?? [], earlier.reply))
    : { ok: false, failure: { code: 'call_id_reused', callId: used.callId } };
}

/** Every call is in the earlier batch: by its id, or in the same place if it has none. */
const isPartOf = (calls: readonly CallIdentity[], earlier: readonly CallIdentity[]): boolean =>
  calls.every(({ callId, digest }, index) =>
    callId === null
      ? earlier[index]?.callId === null && earlier[index].digest === digest
      : earlier.some((other) => other.callId === callId && other.digest === digest),
  );

/** The reply to a part of the earlier batch names the calls of that part only, in its order. */
function replyOf(calls: readonly CallIdentity[], earlier: readonly CallIdentity[], reply: Ack): Ack {
  if (!reply.ok || reply.callIds === undefined) return reply;
  const { callIds } = reply;
  const places = calls.map(({ callId }, index) =>
    callId === null ? index : earlier.findIndex((other) => other.callId === callId),
  );
  return { ...reply, callIds: places.flatMap((place) => callIds[place] ?? []) };
}

const again = (reply: Ack): Ack => (reply.ok ? { ...reply, repeated: true } : reply);
