/** Of all hidden pages of this browser, one listens, so that it can notify. */
const HIDDEN_LISTENER = 'countersign.hidden-listener';

/**
 * Works while somebody looks at this page, or while it is the one of the hidden ones that listens: a browser has six
 * connections to a server, and forgotten pages that held one each would keep this one from loading. Ends when the work
 * ends by itself, or with the signal.
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
