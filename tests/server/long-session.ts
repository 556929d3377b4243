import type { Journal } from '@countersign/engine';
import type { Event } from '@countersign/protocol';

export type Length = { readonly facts: number; readonly charsPerFact: number };

/** A session with many facts, written to a store as its owner would, and released again. */
export async function longSession(
  journal: Journal,
  workspace: string,
  sessionId: string,
  { facts, charsPerFact }: Length,
): Promise<void> {
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new Error(owned.failure.code);
  for (let seq = 0; seq < facts; seq++) {
    const events = [seq === 0 ? opened(workspace) : messageAdded(seq, charsPerFact)];
    const appended = await journal.append({
      ...{ sessionId, expectedSeq: seq, token: owned.token, events },
      ...{ views: [], claims: [], consumed: [], sync: 'normal' },
    });
    if (!appended.ok) throw new Error(appended.failure.code);
  }
  await journal.release(sessionId, owned.token);
}

const opened = (workspace: string): Event => ({
  type: 'session.opened',
  epoch: 1,
  at: 1,
  workspace,
  mode: 'manual',
});

const messageAdded = (seq: number, chars: number): Event => ({
  type: 'message.added',
  message: { id: seq, at: seq, role: 'user', parts: [{ text: 'x'.repeat(chars) }], by: 'ann', promptId: 'p' },
});
