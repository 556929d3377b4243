import { type CallRow, readEach, type Tally, tallies, tallyOf } from '@countersign/engine';
import type { AnswerOf } from '../contract/operations.js';
import type { Handlers, Parts } from './handler.js';

/** Every call is read; requests within this time share the rows. */
const FRESH_MS = 2_000;
/** Columns of a chart. */
const STEPS = 60;

export function statisticsHandlers({ journal, ports }: Parts) {
  let read: { readonly rows: Promise<readonly CallRow[]>; readonly at: number } | null = null;
  return {
    statistics: async ({ query: { since = 0, sessionId }, scope }) => {
      const now = ports.now();
      if (!read || now - read.at > FRESH_MS) read = { rows: readable(), at: now };
      const rows = (await read.rows).filter(
        (row) =>
          row.endedAt >= since &&
          scope.has(row.sessionId) &&
          (sessionId === undefined || row.sessionId === sessionId),
      );
      const { calls, succeeded, failed, cancelled } = tallyOf('all', rows);
      return {
        calls,
        byStatus: { success: succeeded, error: failed, cancelled },
        byTool: tallies(rows, ({ tool }) => tool).map(ofTool),
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
  async function readable(): Promise<readonly CallRow[]> {
    const ids = async () => (await journal.list()).map(({ sessionId }) => sessionId);
    const { rows } = await readEach(
      ids,
      () => journal.calls(),
      (sessionId) => journal.calls(sessionId),
    );
    return rows;
  }
}

function ofTool(tally: Tally): AnswerOf<'statistics'>['byTool'][number] {
  const { name, calls, succeeded, failed, cancelled } = tally;
  return {
    tool: name,
    calls,
    success: succeeded,
    error: failed,
    cancelled,
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
