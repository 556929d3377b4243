import { type Journal, JournalError } from '@countersign/engine';
import type { Ack, Command } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';

/** How often to look by ourselves, should a wake-up be missed or the owner die. */
const LOOK_EVERY_MS = 100;

/**
 * Leave a command for the process that works on a session, and hear what came
 * of it. One that is not taken in time, or before its client is gone, is taken
 * back: nothing happens later that was given up on.
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
      const owner = (await journal.session(sessionId))?.owner ?? null;
      const isOver = owner === null || performance.now() > until || gone?.aborted === true;
      if (isOver && (await journal.withdraw(inboxId))) {
        change.stop();
        if (owner === null) return { ok: false, failure: { code: 'session_idle', sessionId } };
        if (gone?.aborted) return { ok: false, failure: { code: 'given_up', sessionId, ...owner.shown } };
        throw new Refusal({ code: 'owner_silent', ...owner.shown, afterMs: timeoutMs });
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
