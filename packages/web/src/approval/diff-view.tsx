import { type DiffRow, type Line, readDiff } from '@countersign/kernel';
import { useMemo, useState } from 'react';
import { LineText } from '../parts/lines.js';
import { useKept } from '../parts/use-kept.js';
import { type DiffPair, sideBySide } from './side-by-side.js';

type Layout = 'unified' | 'side by side';
const LAYOUTS: readonly Layout[] = ['unified', 'side by side'];

/** Drawn at once; more take time to draw, and nobody reads them at a glance. */
const ROWS_SHOWN = 400;

/** A change: what is removed and what is added, below or beside each other. */
export function DiffView({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }) {
  const [layout, setLayout] = useKept('diff', LAYOUTS);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => readDiff(lines), [lines]);
  const hidden = isWhole ? 0 : Math.max(0, rows.length - ROWS_SHOWN);
  const shown = hidden > 0 ? rows.slice(0, ROWS_SHOWN) : rows;
  return (
    <div className="diff">
      <div className="diff-bar" role="group" aria-label="How the change is shown">
        {LAYOUTS.map((each) => (
          <button
            key={each}
            type="button"
            className="quiet"
            aria-pressed={layout === each}
            onClick={() => setLayout(each)}
          >
            {each === 'unified' ? 'Unified' : 'Side by side'}
          </button>
        ))}
      </div>
      <div className="diff-scroll" tabIndex={0} role="region" aria-label={label}>
        <table className={layout === 'unified' ? 'diff-table' : 'diff-table beside'}>
          {layout === 'side by side' && (
            <colgroup>
              <col className="number" />
              <col />
              <col className="number" />
              <col />
            </colgroup>
          )}
          <tbody>
            {layout === 'unified'
              ? shown.map((row, index) => <UnifiedRow key={index} row={row} />)
              : sideBySide(shown).map((pair, index) => <PairRow key={index} pair={pair} />)}
          </tbody>
        </table>
      </div>
      {hidden > 0 && (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {hidden} more lines are not shown. Show all {rows.length}
        </button>
      )}
    </div>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−', remark: '' } as const;
const WORDS = { same: null, added: 'added: ', removed: 'removed: ', remark: null } as const;

function UnifiedRow({ row }: { readonly row: DiffRow }) {
  if (row.kind === 'remark')
    return (
      <tr className="remark">
        <td colSpan={4}>
          <LineText line={row.line} />
        </td>
      </tr>
    );
  return (
    <tr className={row.kind}>
      <td className="number">{row.before}</td>
      <td className="number">{row.after}</td>
      <td className="sign" aria-hidden="true">
        {SIGNS[row.kind]}
      </td>
      <Content row={row} />
    </tr>
  );
}

function PairRow({ pair: { left, right } }: { readonly pair: DiffPair }) {
  if (left?.kind === 'remark')
    return (
      <tr className="remark">
        <td colSpan={4}>
          <LineText line={left.line} />
        </td>
      </tr>
    );
  return (
    <tr>
      <td className="number">{left?.before}</td>
      <Content row={left} />
      <td className="number">{right?.after}</td>
      <Content row={right} />
    </tr>
  );
}

/** Colour says which, and so do words for who does not see it. */
function Content({ row }: { readonly row: DiffRow | null }) {
  if (row === null) return <td className="nothing" />;
  return (
    <td className={`content ${row.kind}`}>
      {WORDS[row.kind] && <span className="unseen">{WORDS[row.kind]}</span>}
      <LineText line={row.line} />
    </td>
  );
}
