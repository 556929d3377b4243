const SECONDS = /^\s*(\d+(?:\.\d+)?)\s*s?\s*$/;

/** `Retry-After` in seconds or as an HTTP date, and the `34s` of Google's `RetryInfo`; null if it says neither. */
export function retryAfterMs(said: string | undefined, nowMs: number): number | null {
  if (said === undefined) return null;
  const seconds = SECONDS.exec(said)?.[1];
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
