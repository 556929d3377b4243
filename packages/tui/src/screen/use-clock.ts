import { useEffect, useState } from 'react';

/** Often enough for a duration and a turning mark, seldom enough to cost nothing. */
const TICK_MS = 500;

/** The current time, updated while `isRunning`. */
export function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
