import { rm } from 'node:fs/promises';
import { type Journal, SessionDirectory } from '@countersign/engine';
import { endCommands } from '@countersign/host';
import type { Failure } from '@countersign/protocol';

export type SessionDeleted =
  | { readonly ok: true; readonly commandsEnded: number }
  | { readonly ok: false; readonly failure: Failure };

/** Deletes a session that no process works on. What a crash in between leaves is files that nothing mentions. */
export async function deleteSession(
  journal: Journal,
  sessionId: string,
  outputs: string,
): Promise<SessionDeleted> {
  const ended = await endLeftCommands(journal, sessionId, outputs);
  if (!ended.ok) return ended;
  const deleted = await journal.delete(sessionId);
  if (!deleted.ok) return deleted;
  await rm(new SessionDirectory(outputs, sessionId).path, { recursive: true, force: true });
  return ended;
}

/** Ends commands that a dead process left running in a session: once its facts are deleted, nothing knows of them. */
export async function endLeftCommands(
  journal: Journal,
  sessionId: string,
  outputs: string,
): Promise<SessionDeleted> {
  if (!(await journal.session(sessionId)))
    return { ok: false, failure: { code: 'unknown_session', sessionId } };
  // While it is ours no other process adopts them.
  const owned = await journal.own(sessionId, 'command');
  if (!owned.ok) return owned;
  try {
    return { ok: true, commandsEnded: await endCommands(new SessionDirectory(outputs, sessionId).path) };
  } finally {
    await journal.release(sessionId, owned.token);
  }
}
