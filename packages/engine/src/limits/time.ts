/** Waits, unless the signal fires first. A value, so that a simulation can own the time. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Calls back when the time is over, unless it is cancelled before. Cheaper than a `Delay`, which needs a signal. */
export type StartTimer = (ms: number, fire: () => void) => () => void;

export const startTimer: StartTimer = (ms, fire) => {
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
};
