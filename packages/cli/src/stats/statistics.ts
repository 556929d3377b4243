import type { CallRow, MessageRow } from '@countersign/engine';
import { type Spending, spendingBy } from './spending.js';

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

export type Statistics = {
  readonly all: Tally;
  readonly sessions: number;
  readonly byTool: readonly Tally[];
  /** `policy`, `grant`, `hook`, `person`; `nothing` where a call ended before anything decided. */
  readonly byDecider: readonly Tally[];
  /** The very rules, grants, hooks and people. */
  readonly byDecision: readonly Tally[];
  readonly bySession: readonly Tally[];
  /** From the first day with a call to the last, without gaps. */
  readonly byDay: readonly { readonly day: string; readonly calls: number; readonly succeeded: number }[];
  readonly byModel: readonly ({ readonly model: string } & Spending)[];
};

export function statisticsOf(calls: readonly CallRow[], messages: readonly MessageRow[]): Statistics {
  const bySession = tallies(calls, ({ sessionId }) => sessionId);
  const sessions = new Set([...calls, ...messages].map(({ sessionId }) => sessionId));
  const models = [...spendingBy(messages, (_, model) => model)].map(([model, spent]) => ({
    model,
    ...spent,
  }));
  return {
    all: tallyOf('all', calls),
    sessions: sessions.size,
    byTool: tallies(calls, ({ tool }) => tool),
    byDecider: tallies(calls, deciderOf),
    byDecision: tallies(
      calls.filter(({ decidedBy }) => decidedBy !== null),
      ({ decidedBy }) => decidedBy ?? '',
    ),
    bySession,
    byDay: daysOf(calls),
    byModel: models.sort((a, b) => b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens)),
  };
}

/** Rows from before it was kept do not tell. */
const deciderOf = ({ decider, decidedBy }: CallRow): string =>
  decider ?? (decidedBy === null ? 'nothing' : 'not recorded');

/** The most frequent first. */
function tallies(calls: readonly CallRow[], groupOf: (call: CallRow) => string): readonly Tally[] {
  const groups = new Map<string, CallRow[]>();
  for (const call of calls) {
    const name = groupOf(call);
    const group = groups.get(name);
    if (group) group.push(call);
    else groups.set(name, [call]);
  }
  return Array.from(groups, ([name, group]) => tallyOf(name, group)).sort((a, b) => b.calls - a.calls);
}

function tallyOf(name: string, calls: readonly CallRow[]): Tally {
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

/** Beyond this, days are left out at the beginning: a clock that was wrong once must not fill the screen with nothing. */
const DAYS_MAX = 400;

function daysOf(calls: readonly CallRow[]): Statistics['byDay'] {
  const counts = new Map<string, { calls: number; succeeded: number }>();
  let [first, last] = [Infinity, -Infinity];
  for (const { endedAt, status } of calls) {
    const day = dayOf(new Date(endedAt));
    const count = counts.get(day) ?? { calls: 0, succeeded: 0 };
    counts.set(day, count);
    count.calls++;
    if (status === 'success') count.succeeded++;
    first = Math.min(first, endedAt);
    last = Math.max(last, endedAt);
  }
  const days: { day: string; calls: number; succeeded: number }[] = [];
  // At noon, since days in which clocks are changed are not 24 hours long.
  const at = new Date(last);
  at.setHours(12, 0, 0, 0);
  for (let left = counts.size > 0 ? DAYS_MAX : 0; left > 0; left--) {
    const day = dayOf(at);
    days.unshift({ day, ...(counts.get(day) ?? { calls: 0, succeeded: 0 }) });
    if (day === dayOf(new Date(first))) break;
    at.setDate(at.getDate() - 1);
  }
  return days;
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
