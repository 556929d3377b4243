import { type Journal, JournalError } from '@countersign/engine';
import type { Ack, Command } from '@countersign/protocol';
import { Refusal } from '../problems.js';

/** How often to look by ourselves, should a wake-up be missed or the owner die. */
const LOOK_EVERY_MS = 100;

/**
 * Sends a command to the owner of a session, and waits for its result. A command that is not accepted in time, or
 * before its client is gone, is withdrawn: nothing happens later that was given up on.
 */
export async function askOwner(
  journal: Journal,
  sessionId: string,
  command: Command,
  timeoutMs: number,
  gone?: AbortSignal,
): Promise<Ack> {
  try {
    const inboxId = await journal.post(sessionId, command);
    const until = performance.now() + timeoutMs;
    for (;;) {
      const change = nextChange(journal, LOOK_EVERY_MS, gone);
      const outcome = await journal.outcomeOf(inboxId);
      if (outcome) {
        change.stop();
        return outcome;
      }
      const pid = (await journal.session(sessionId))?.ownerPid ?? null;
      const isOver = pid === null || performance.now() > until || gone?.aborted === true;
      if (isOver && (await journal.withdraw(inboxId))) {
        change.stop();
        if (pid === null) return { ok: false, failure: { code: 'session_idle', sessionId } };
        if (gone?.aborted) return { ok: false, failure: { code: 'given_up', sessionId, pid } };
        throw new Refusal({ code: 'owner_silent', pid, afterMs: timeoutMs });
      }
      await change.happened;
    }
  } catch (thrown) {
    if (thrown instanceof JournalError) return { ok: false, failure: thrown.failure };
    throw thrown;
  }
}

/** Listens from now on: what changes between looking and waiting is not missed. */
function nextChange(
  journal: Journal,
  atLatestMs: number,
  gone: AbortSignal | undefined,
): { readonly happened: Promise<void>; readonly stop: () => void } {
  let stop = () => {};
  const happened = new Promise<void>((resolve) => {
    const unwatch = journal.watch(() => stop());
    const timer = setTimeout(() => stop(), atLatestMs);
    stop = () => {
      unwatch();
      clearTimeout(timer);
      gone?.removeEventListener('abort', stop);
      resolve();
    };
    if (!gone?.aborted) gone?.addEventListener('abort', stop);
  });
  return { happened, stop: () => stop() };
}
