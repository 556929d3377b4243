import type { CallRow } from '../journal/index.js';

/** What some calls have in common, counted. Times are null where there is nothing to measure. */
export type Tally = {
  readonly name: string;
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** How long those ran that were started. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  /** How many waited for a person, and how long. */
  readonly waited: number;
  readonly medianWaitMs: number | null;
  readonly p95WaitMs: number | null;
};

/** One for each group, the most frequent first; what belongs to none is not counted. */
export function tallies(
  calls: readonly CallRow[],
  groupOf: (call: CallRow) => string | null,
): readonly Tally[] {
  const groups = new Map<string, CallRow[]>();
  for (const call of calls) {
    const name = groupOf(call);
    if (name === null) continue;
    const group = groups.get(name);
    if (group) group.push(call);
    else groups.set(name, [call]);
  }
  return Array.from(groups, ([name, group]) => tallyOf(name, group)).sort((a, b) => b.calls - a.calls);
}

export function tallyOf(name: string, calls: readonly CallRow[]): Tally {
  const count = (status: CallRow['status']) => calls.filter((call) => call.status === status).length;
  const ran = sorted(
    calls.flatMap((call) => (call.startedAt === null ? [] : [call.endedAt - call.startedAt])),
  );
  const waits = sorted(calls.flatMap(({ waitedMs }) => (waitedMs > 0 ? [waitedMs] : [])));
  return {
    name,
    calls: calls.length,
    succeeded: count('success'),
    failed: count('error'),
    cancelled: count('cancelled'),
    medianMs: quantile(ran, 0.5),
    p95Ms: quantile(ran, 0.95),
    waited: waits.length,
    medianWaitMs: quantile(waits, 0.5),
    p95WaitMs: quantile(waits, 0.95),
  };
}

const sorted = (numbers: number[]): readonly number[] => numbers.sort((a, b) => a - b);

/** The smallest value that so great a share of all does not exceed. */
const quantile = (ascending: readonly number[], share: number): number | null =>
  ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null;
