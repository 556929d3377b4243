import type { CallRow } from '@countersign/engine';
import type { AnswerOf } from '../contract/operations.js';
import type { Handlers, Parts } from './handler.js';

/** All calls ever made are gone through; who asks again within this gets what was found. */
const FRESH_MS = 2_000;
/** As many columns as a chart has room for. */
const STEPS = 60;

export function statisticsHandlers({ journal, ports }: Parts): Handlers<'statistics'> {
  let read: { readonly rows: Promise<readonly CallRow[]>; readonly at: number } | null = null;
  return {
    statistics: async ({ query: { since = 0, sessionId } }) => {
      const now = ports.now();
      if (!read || now - read.at > FRESH_MS) read = { rows: journal.calls(), at: now };
      const rows = (await read.rows).filter(
        (row) => row.endedAt >= since && (sessionId === undefined || row.sessionId === sessionId),
      );
      return {
        calls: rows.length,
        byStatus: Object.fromEntries(counted(rows, ({ status }) => status)),
        byTool: byTool(rows),
        byFailure: counted(rows, ({ failure }) => failure).map(([failure, calls]) => ({ failure, calls })),
        byDecider: counted(rows, ({ decidedBy }) => decidedBy).map(([decidedBy, calls]) => ({
          decidedBy,
          calls,
        })),
        overTime: overTime(rows, now),
      };
    },
  };
}

/** The most frequent first; what has no key is not counted. */
function counted(rows: readonly CallRow[], keyOf: (row: CallRow) => string | null): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function byTool(rows: readonly CallRow[]): AnswerOf<'statistics'>['byTool'] {
  return counted(rows, ({ tool }) => tool).map(([tool, calls]) => {
    const ofTool = rows.filter((row) => row.tool === tool);
    return {
      tool,
      calls,
      ...byEnd(ofTool),
      durationMs: spread(
        ofTool.flatMap(({ startedAt, endedAt }) => (startedAt === null ? [] : endedAt - startedAt)),
      ),
      waitedMs: spread(ofTool.flatMap(({ waitedMs }) => (waitedMs > 0 ? waitedMs : []))),
    };
  });
}

function byEnd(rows: readonly CallRow[]) {
  const ended = (status: CallRow['status']) => rows.filter((row) => row.status === status).length;
  return { success: ended('success'), error: ended('error'), cancelled: ended('cancelled') };
}

function spread(values: readonly number[]): { readonly median: number; readonly p95: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
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
