import { type CallRow, type MessageRow, type Tally, tallies, tallyOf } from '@countersign/engine';
import { timeText } from '../sessions/plain-rows.js';
import { type Spending, spendingBy } from '../sessions/spending.js';

export type Statistics = {
  readonly all: Tally;
  readonly sessions: number;
  readonly byTool: readonly Tally[];
  /** `policy`, `grant`, `hook`, `person`; `nothing` where a call ended before anything decided. */
  readonly byDecider: readonly Tally[];
  /** By the name of the rule, grant, hook or user. */
  readonly byDecision: readonly Tally[];
  /** By the rule that allowed, asked or denied, whatever decided in the end: `FILE:LINE decision`. */
  readonly byRule: readonly Tally[];
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
    byDecision: tallies(calls, ({ decidedBy }) => decidedBy),
    byRule: tallies(calls, ruleOf),
    bySession,
    byDay: daysOf(calls),
    byModel: models.sort((a, b) => b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens)),
  };
}

/** Older rows have no verdict; calls that no rule matched belong to none. */
const ruleOf = ({ rule, verdict }: CallRow): string | null =>
  rule === undefined ? null : `${rule} ${verdict ?? ''}`.trimEnd();

/** Older rows have no decider. */
const deciderOf = ({ decider, decidedBy }: CallRow): string =>
  decider ?? (decidedBy === null ? 'nothing' : 'not recorded');

/** Earlier days are omitted, so that a wrong clock cannot fill the screen with empty days. */
const DAYS_MAX = 400;

function daysOf(calls: readonly CallRow[]): Statistics['byDay'] {
  const counts = new Map<string, { calls: number; succeeded: number }>();
  let [first, last] = [Infinity, -Infinity];
  for (const { endedAt, status } of calls) {
    const day = dayOf(endedAt);
    const count = counts.get(day) ?? { calls: 0, succeeded: 0 };
    counts.set(day, count);
    count.calls++;
    if (status === 'success') count.succeeded++;
    first = Math.min(first, endedAt);
    last = Math.max(last, endedAt);
  }
  const days: { day: string; calls: number; succeeded: number }[] = [];
  // At noon, since not all days have 24 hours.
  const at = new Date(last);
  at.setHours(12, 0, 0, 0);
  for (let left = counts.size > 0 ? DAYS_MAX : 0; left > 0; left--) {
    const day = dayOf(at);
    days.unshift({ day, ...(counts.get(day) ?? { calls: 0, succeeded: 0 }) });
    if (day === dayOf(first)) break;
    at.setDate(at.getDate() - 1);
  }
  return days;
}

const dayOf = (at: number | Date): string => timeText(at).slice(0, 'YYYY-MM-DD'.length);
