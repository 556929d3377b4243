import { rm } from 'node:fs/promises';
import { type Deletion, type Journal, SessionDirectory } from '@countersign/engine';
import { endCommands } from '@countersign/host';
import type { Result } from '../io/ack-line.js';

/** Deletes a session that no process works on. What a crash in between leaves is files that nothing mentions. */
export async function deleteSession(
  journal: Journal,
  sessionId: string,
  outputs: string,
  deletion: Deletion,
): Promise<Result> {
  const ended = await endLeftCommands(journal, sessionId, outputs);
  if (!ended.ok) return ended;
  const deleted = await journal.delete(sessionId, deletion);
  if (!deleted.ok) return deleted;
  await rm(new SessionDirectory(outputs, sessionId).path, { recursive: true, force: true });
  return ended;
}

/** Ends commands that a dead process left running in a session: once its events are deleted, nothing knows of them. */
export async function endLeftCommands(journal: Journal, sessionId: string, outputs: string): Promise<Result> {
  // While it is ours no other process adopts them.
  const owned = await journal.own(sessionId, 'command', undefined, 'known');
  if (!owned.ok) return owned;
  try {
    const count = await endCommands(new SessionDirectory(outputs, sessionId).path);
    if (count === 0) return { ok: true };
    const commands = count === 1 ? '1 command that was' : `${count} commands that were`;
    return { ok: true, note: `Ended ${commands} still running.` };
  } finally {
    await journal.release(sessionId, owned.token);
  }
}
