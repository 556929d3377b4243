import type { AnswerPayload } from '@countersign/protocol';

type ReadLimits =
  | { readonly ok: true; readonly payload: AnswerPayload }
  | { readonly ok: false; readonly problem: string };

const MINUTE_MS = 60_000;
const UNITS_MS: { readonly [unit: string]: number } = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

/** Reads how long and how often an "always" is valid: `2h`, `5 uses`, `1d 5 uses`. Empty text sets no limit. */
export function readLimits(text: string, now: number): ReadLimits {
  const read = /^(?:(\d{1,4})([mhdw]))?[\s,]*(?:(\d{1,6})\s*uses?)?$/i.exec(text.trim());
  const [, time, unit = '', uses] = read ?? [];
  if (!read || Number(time ?? 1) === 0 || Number(uses ?? 1) === 0)
    return { ok: false, problem: 'Write a time and a number of uses, e.g. 30m, 2h, 1d, or 2h 5 uses.' };
  return {
    ok: true,
    payload: {
      ...(time !== undefined && { expiresAt: now + Number(time) * (UNITS_MS[unit.toLowerCase()] ?? 0) }),
      ...(uses !== undefined && { uses: Number(uses) }),
    },
  };
}
