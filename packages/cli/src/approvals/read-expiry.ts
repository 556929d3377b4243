import { usage } from '../io/failure-text.js';

const UNIT_MS: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30m`, `2h`, `7d` from now, or a date and time; in milliseconds since 1970. */
export function readExpiry(given: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(given) ?? [];
  const at = count === undefined ? timeIn(given) : now + Number(count) * (UNIT_MS[unit] ?? 0);
  if (!Number.isSafeInteger(at)) throw usage(`"${given}" is not a time`, HOW);
  if (at <= now) throw usage(`"${given}" is not in the future`, HOW);
  return at;
}

/** Only ISO 8601: what else `Date` accepts is a guess. A date alone is its midnight in UTC. */
const timeIn = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;

const HOW = '--expires 30m, 2h, 7d, or a time as in 2030-01-31T12:00Z';
