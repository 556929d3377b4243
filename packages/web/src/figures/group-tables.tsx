import type { AnswerOf } from '@countersign/server/client';
import type { ReactNode } from 'react';
import { OneLine } from '../parts/lines.js';
import { countText, dollarsText } from './spending-text.js';

type Figures = AnswerOf<'statistics'>;
type Ended = Pick<Figures['byRule'][number], 'calls' | 'success' | 'error' | 'cancelled'>;

const ENDED = ['Calls', 'Succeeded', 'Failed', 'Cancelled'] as const;

/** How the calls of each session ended, and what its model used. */
export const SessionTable = ({ bySession }: Pick<Figures, 'bySession'>) => (
  <GroupTable
    title="Figures by session"
    columns={['Session', ...ENDED, 'Tokens in', 'Cached', 'Tokens out', 'Cost']}
  >
    {bySession.map(({ sessionId, spending, ...ended }) => (
      <tr key={sessionId}>
        <th scope="row">
          <a href={`#/sessions/${encodeURIComponent(sessionId)}`}>
            <OneLine text={sessionId} />
          </a>
        </th>
        <EndedCells ended={ended} />
        <td>{countText(spending.inputTokens)}</td>
        <td>{countText(spending.cachedTokens)}</td>
        <td>{countText(spending.outputTokens)}</td>
        <td>{spending.requests === 0 ? '–' : dollarsText(spending)}</td>
      </tr>
    ))}
  </GroupTable>
);

/** How calls ended that a rule allowed, asked about or denied. */
export const RuleTable = ({ byRule }: Pick<Figures, 'byRule'>) => (
  <GroupTable title="Figures by rule" columns={['Rule', 'Decision', ...ENDED]}>
    {byRule.map(({ rule, decision, ...ended }) => (
      <tr key={`${rule} ${decision}`}>
        <th scope="row">
          <OneLine text={rule} />
        </th>
        <td>{decision ?? '–'}</td>
        <EndedCells ended={ended} />
      </tr>
    ))}
  </GroupTable>
);

const EndedCells = ({ ended: { calls, success, error, cancelled } }: { readonly ended: Ended }) =>
  [calls, success, error, cancelled].map((count, index) => <td key={index}>{countText(count)}</td>);

const GroupTable = ({
  title,
  columns,
  children,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly children: readonly ReactNode[];
}) =>
  children.length > 0 && (
    <details open className="figures-table">
      <summary>{title}</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </details>
  );
