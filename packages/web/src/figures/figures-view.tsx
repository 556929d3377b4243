import { durationText } from '@countersign/client';
import type { AnswerOf } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { Heading } from '../parts/heading.js';
import { Options } from '../parts/options.js';
import { Problem } from '../parts/problem.js';
import { useLoaded } from '../parts/use-loaded.js';
import { Chart, ShareBars, SpreadBars } from './bars.js';
import { RuleTable, SessionTable } from './group-tables.js';
import { OverTime } from './over-time.js';
import { countText, dollarsText } from './spending-text.js';

type Figures = AnswerOf<'statistics'>;

const HOUR_MS = 3_600_000;
const SPANS = [
  ['hour', 'Last hour', HOUR_MS],
  ['day', 'Last day', 24 * HOUR_MS],
  ['week', 'Last week', 7 * 24 * HOUR_MS],
  ['all', 'Everything', null],
] as const;

/** Completed calls in figures: how many, how they ended, how long they took, how long they waited for a person. */
export function FiguresView() {
  const { api } = useServices();
  const [span, setSpan] = useState<(typeof SPANS)[number][0]>('all');
  const { loaded, reload } = useLoaded(
    (signal) => {
      const ms = SPANS.find(([name]) => name === span)?.[2] ?? null;
      return api.statistics(ms === null ? {} : { since: Date.now() - ms }, { signal });
    },
    [api, span],
  );
  return (
    <>
      <Heading>Figures</Heading>
      <div className="filters">
        <label>
          Time
          <select
            value={span}
            onChange={({ target }) => setSpan(SPANS.find(([name]) => name === target.value)?.[0] ?? 'all')}
          >
            <Options of={SPANS} />
          </select>
        </label>
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </div>
      {loaded.state === 'loading' && <p role="status">Counting…</p>}
      {loaded.state === 'failed' && <Problem problem={loaded.error} />}
      {loaded.state === 'loaded' &&
        (loaded.value.calls === 0 && loaded.value.spending.requests === 0 ? (
          <p className="empty">No call ended in this time, and no model answered.</p>
        ) : (
          <Charts figures={loaded.value} />
        ))}
    </>
  );
}

function Charts({ figures }: { readonly figures: Figures }) {
  const { calls, byStatus, byTool, byDecider, byFailure, bySession, byRule, spending, overTime } = figures;
  const { success = 0, error = 0, cancelled = 0 } = byStatus;
  return (
    <>
      <dl className="tiles">
        <Tile name="Calls" value={String(calls)} />
        <Tile name="Succeeded" value={calls === 0 ? '–' : `${Math.round((100 * success) / calls)} %`} />
        <Tile name="Failed" value={String(error)} />
        <Tile name="Cancelled" value={String(cancelled)} />
        <Tile name="Tokens in" value={countText(spending.inputTokens)} />
        <Tile name="Cached input" value={countText(spending.cachedTokens)} />
        <Tile name="Tokens out" value={countText(spending.outputTokens)} />
        <Tile name="Cost" value={dollarsText(spending)} />
      </dl>
      <div className="charts">
        <OverTime overTime={overTime} />
        <ShareBars byTool={byTool} />
        <SpreadBars
          title="How long calls ran"
          rows={byTool.map(({ tool, durationMs }) => ({ name: tool, ...durationMs }))}
          empty="No call ran."
        />
        <SpreadBars
          title="How long calls waited for approval"
          rows={byTool
            .filter(({ waitedMs }) => waitedMs.p95 > 0)
            .map(({ tool, waitedMs }) => ({ name: tool, ...waitedMs }))}
          empty="No approvals were requested."
        />
        <Counts
          title="Decided by"
          rows={byDecider.map(({ decidedBy, calls: count }) => [decidedBy, count])}
        />
        {byFailure.length > 0 && (
          <Counts title="Failures" rows={byFailure.map(({ failure, calls: count }) => [failure, count])} />
        )}
      </div>
      <SessionTable bySession={bySession} />
      <RuleTable byRule={byRule} />
      <ToolTable byTool={byTool} />
    </>
  );
}

const Tile = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Counts({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly (readonly [string, number])[];
}) {
  return (
    <Chart title={title}>
      <dl className="counts">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </Chart>
  );
}

/** The same in numbers, for screen readers and for copying. */
function ToolTable({ byTool }: Pick<Figures, 'byTool'>) {
  return (
    <details className="figures-table">
      <summary>All tools as a table</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Figures by tool">
        <table>
          <thead>
            <tr>
              {[
                'Tool',
                'Calls',
                'Succeeded',
                'Failed',
                'Cancelled',
                'Ran, median',
                'p95',
                'Waited, median',
                'p95',
              ].map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {byTool.map(({ tool, calls, success, error, cancelled, durationMs, waitedMs }) => (
              <tr key={tool}>
                <th scope="row">{tool}</th>
                <td>{calls}</td>
                <td>{success}</td>
                <td>{error}</td>
                <td>{cancelled}</td>
                <td>{durationText(durationMs.median)}</td>
                <td>{durationText(durationMs.p95)}</td>
                <td>{durationText(waitedMs.median)}</td>
                <td>{durationText(waitedMs.p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
