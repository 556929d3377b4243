import type { ApiError, Result } from '@countersign/server/client';
import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: ApiError };

/** What the server says, asked again whenever `ask` is another function. The old stays on the screen meanwhile. */
export function useLoaded<T>(ask: (signal: AbortSignal) => Promise<Result<T>>): {
  readonly loaded: Loaded<T>;
  readonly reload: () => void;
} {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  // A round is a reason to ask again.
  useEffect(() => {
    const stop = new AbortController();
    void ask(stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      setLoaded(
        answer.ok ? { state: 'loaded', value: answer.value } : { state: 'failed', error: answer.error },
      );
    });
    return () => stop.abort();
  }, [ask, round]);
  return { loaded, reload };
}
