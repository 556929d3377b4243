import { useEffect, useRef, useState } from 'react';
import { useServices } from '../connection/services.js';
import { useLoaded } from '../parts/use-loaded.js';
import { spendingText } from './spending-text.js';

/** A session that works quickly is not counted more often. */
const REFRESH_MS = 1_000;

/** What the model of a session has used so far. `progress` changes with what happens in the session. */
export function SessionSpending({
  sessionId,
  progress,
}: {
  readonly sessionId: string;
  readonly progress: string;
}) {
  const { api } = useServices();
  const counted = useAtMostEvery(progress, REFRESH_MS);
  const { loaded } = useLoaded(
    (signal) => api.statistics({ sessionId }, { signal }),
    [api, sessionId, counted],
  );
  if (loaded.state !== 'loaded' || loaded.value.spending.requests === 0) return null;
  return (
    <p className="dim spending" aria-label="Usage of the model">
      {spendingText(loaded.value.spending)}
    </p>
  );
}

/** The value, delayed where it changes more often. The last one is always reached. */
function useAtMostEvery(value: string, ms: number): string {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const isBehind = shown !== value;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => setShown(latest.current), ms);
    return () => clearTimeout(timer);
  }, [isBehind, ms]);
  return shown;
}
