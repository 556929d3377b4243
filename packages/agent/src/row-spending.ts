import type { MessageRow } from '@countersign/engine';
import { costOf, soundUsage } from '@countersign/models';

/** The usage and cost of model responses, as listed by a journal. */
export type RowSpending = {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** US dollars by list prices; null if a price or the usage of a request is unknown. */
  readonly dollars: number | null;
};

export const NO_SPENDING: RowSpending = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  dollars: 0,
};

/** The usage of each group of messages. The rows of a session must be adjacent and in order. */
export function spendingBy(
  rows: readonly MessageRow[],
  groupOf: (row: MessageRow, model: string) => string,
): ReadonlyMap<string, RowSpending> {
  const groups = new Map<string, RowSpending>();
  let answered = { sessionId: '', model: UNKNOWN };
  for (const row of rows) {
    if (row.role === 'user') continue;
    if (row.model !== null) answered = { sessionId: row.sessionId, model: row.model };
    // A summary comes from the current model of the session.
    const model = answered.sessionId === row.sessionId ? answered.model : UNKNOWN;
    // What a fork began with was paid for in the session that it was copied from.
    if (row.isCopied) continue;
    const group = groupOf(row, model);
    groups.set(group, added(groups.get(group) ?? NO_SPENDING, row, model));
  }
  return groups;
}

const UNKNOWN = 'unknown';

function added(before: RowSpending, row: MessageRow, model: string): RowSpending {
  // Old journals hold what servers reported without a check.
  const usage = soundUsage(row.usage);
  // Without a token count the cost is unknown.
  const dollars = usage && costOf(model, usage);
  return {
    requests: before.requests + 1,
    inputTokens: before.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: before.outputTokens + (usage?.outputTokens ?? 0),
    cachedTokens: before.cachedTokens + (usage?.cachedTokens ?? 0),
    dollars: before.dollars === null || dollars === null ? null : before.dollars + dollars,
  };
}
