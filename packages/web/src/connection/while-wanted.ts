/** One of the hidden pages of this browser listens, so that it can notify. */
const HIDDEN_LISTENER = 'countersign.hidden-listener';

/**
 * Works while this page is visible, or while it is the one hidden page that listens: a browser has six connections to a
 * server, and hidden pages that used one each would block the others. Ends when the work ends, or with the signal.
 */
export async function whileWanted(
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const turned = new AbortController();
    const until = AbortSignal.any([signal, turned.signal]);
    document.addEventListener('visibilitychange', () => turned.abort(), { signal: until });
    if (document.hidden) await whenFree(() => work(until), until);
    else await work(until);
    if (!until.aborted) return;
  }
}

/** Browsers have locks only where the connection is safe; elsewhere every page works for itself. */
async function whenFree(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator)) return work();
  try {
    await navigator.locks.request(HIDDEN_LISTENER, { signal }, work);
  } catch (thrown) {
    // It became visible, or closed, while it waited for its turn.
    if (!signal.aborted) throw thrown;
  }
}
