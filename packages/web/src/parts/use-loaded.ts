import type { ApiError, Result } from '@countersign/server/client';
import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: ApiError };

/** The response of the server, requested again when a dependency changes; the old one is shown in the meantime. */
export function useLoaded<T>(
  request: (signal: AbortSignal) => Promise<Result<T>>,
  dependencies: readonly unknown[],
): { readonly loaded: Loaded<T>; readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const stop = new AbortController();
    void request(stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      setLoaded(
        answer.ok ? { state: 'loaded', value: answer.value } : { state: 'failed', error: answer.error },
      );
    });
    return () => stop.abort();
  }, [...dependencies, round]);
  return { loaded, reload };
}
