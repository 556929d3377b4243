import { NO_SPENDING, spendingBy } from '@countersign/agent';
import { type CallRow, type MessageRow, readEach, type Tally, tallies, tallyOf } from '@countersign/engine';
import type { AnswerOf } from '../contract/operations.js';
import type { Handlers, Parts } from './handler.js';

/** Every call is read; requests within this time share the rows. */
const FRESH_MS = 2_000;
/** Sessions and rules with the most calls; those beyond are only part of the totals. */
const ROWS_MAX = 100;
/** Columns of a chart. */
const STEPS = 60;

export function statisticsHandlers({ journal, ports }: Parts) {
  let read: {
    readonly rows: Promise<readonly CallRow[]>;
    readonly messages: () => Promise<readonly MessageRow[]>;
    readonly at: number;
  } | null = null;
  return {
    statistics: async ({ query: { since = 0, sessionId }, scope }) => {
      const now = ports.now();
      if (!read || now - read.at > FRESH_MS)
        read = { rows: readableCalls(), messages: once(readableMessages), at: now };
      const { messages: readMessages } = read;
      const isMeant = (row: { readonly sessionId: string }) =>
        scope.has(row.sessionId) && (sessionId === undefined || row.sessionId === sessionId);
      const rows = (await read.rows).filter((row) => row.endedAt >= since && isMeant(row));
      // Those of one session are few, and shown beside a session that is just working.
      const messages = await (sessionId === undefined ? readMessages() : journal.messages([sessionId]));
      const counted = messages.filter((row) => row.at >= since && isMeant(row));
      const { calls, succeeded, failed, cancelled } = tallyOf('all', rows);
      return {
        calls,
        byStatus: { success: succeeded, error: failed, cancelled },
        byTool: tallies(rows, ({ tool }) => tool).map(ofTool),
        bySession: bySession(rows, counted),
        byRule: tallies(rows, ruleOf).slice(0, ROWS_MAX).map(ofRule),
        spending: spendingBy(counted, () => 'all').get('all') ?? NO_SPENDING,
        byFailure: tallies(rows, ({ failure }) => failure).map(({ name, calls }) => ({
          failure: name,
          calls,
        })),
        byDecider: tallies(rows, ({ decidedBy }) => decidedBy).map(({ name, calls }) => ({
          decidedBy: name,
          calls,
        })),
        overTime: overTime(rows, now),
      };
    },
  } satisfies Partial<Handlers>;

  /** Without the calls of damaged sessions, which lists name. */
  async function readableCalls(): Promise<readonly CallRow[]> {
    const read = (sessionId?: string) => journal.calls(sessionId);
    return (await readEach(sessionIds, read, read)).rows;
  }

  async function readableMessages(): Promise<readonly MessageRow[]> {
    const readOne = (sessionId: string) => journal.messages([sessionId]);
    return (await readEach(sessionIds, () => journal.messages('all'), readOne)).rows;
  }

  async function sessionIds(): Promise<readonly string[]> {
    return (await journal.list()).map(({ sessionId }) => sessionId);
  }
}

/** Reads at most once, and only if it is needed. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => (reading ??= read());
}

const ended = ({ calls, succeeded, failed, cancelled }: Tally) => ({
  calls,
  success: succeeded,
  error: failed,
  cancelled,
});

/** Sessions with calls or responses, those with the most calls first. */
function bySession(
  rows: readonly CallRow[],
  messages: readonly MessageRow[],
): AnswerOf<'statistics'>['bySession'] {
  const spending = spendingBy(messages, ({ sessionId }) => sessionId);
  const withCalls = tallies(rows, ({ sessionId }) => sessionId);
  const called = new Set(withCalls.map(({ name }) => name));
  const others = [...spending.keys()].filter((name) => !called.has(name)).map((name) => tallyOf(name, []));
  return [...withCalls, ...others].slice(0, ROWS_MAX).map((tally) => ({
    sessionId: tally.name,
    ...ended(tally),
    spending: spending.get(tally.name) ?? NO_SPENDING,
  }));
}

/** A call that no rule matched belongs to none; rows of older releases have no decision. */
const ruleOf = ({ rule, verdict }: CallRow): string | null =>
  rule === undefined ? null : `${verdict ?? ''} ${rule}`;

function ofRule(tally: Tally): AnswerOf<'statistics'>['byRule'][number] {
  const [decision = ''] = tally.name.split(' ', 1);
  const rule = tally.name.slice(decision.length + 1);
  return { rule, decision: decision === '' ? null : decision, ...ended(tally) };
}

function ofTool(tally: Tally): AnswerOf<'statistics'>['byTool'][number] {
  return {
    tool: tally.name,
    ...ended(tally),
    durationMs: { median: tally.medianMs ?? 0, p95: tally.p95Ms ?? 0 },
    waitedMs: { median: tally.medianWaitMs ?? 0, p95: tally.p95WaitMs ?? 0 },
  };
}

function overTime(rows: readonly CallRow[], now: number): AnswerOf<'statistics'>['overTime'] {
  const first = rows.reduce((least, { endedAt }) => Math.min(least, endedAt), now);
  const stepMs = Math.max(1, Math.ceil((now - first + 1) / STEPS));
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    at: first + index * stepMs,
    success: 0,
    error: 0,
    cancelled: 0,
  }));
  for (const { endedAt, status } of rows) {
    const step = steps[Math.min(STEPS - 1, Math.floor((endedAt - first) / stepMs))];
    if (step && (status === 'success' || status === 'error' || status === 'cancelled')) step[status]++;
  }
  return { stepMs, steps };
}
