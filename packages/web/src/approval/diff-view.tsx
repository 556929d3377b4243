import { type DiffRow, type Line, readDiff } from '@countersign/display';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { LineText } from '../parts/lines.js';
import { useKept } from '../parts/use-kept.js';
import { type DiffPair, sideBySide } from './side-by-side.js';
import { useExcerpt } from './use-excerpt.js';

const LAYOUTS = ['unified', 'side by side'] as const;
type Layout = (typeof LAYOUTS)[number];

/** Rendered at first, since more take time; the end is always included. */
const HEAD_ROWS = 250;
const TAIL_ROWS = 150;
/** Of one line: more is something that a machine wrote. */
const LINE_CHARS_MAX = 1_000;
const LINE_ROWS_MAX = 10;

/** A change: what is removed and what is added, below or beside each other. */
export function DiffView({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }) {
  const [layout, setLayout] = useKept('diff', LAYOUTS);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => readDiff(lines), [lines]);
  const hidden = isWhole ? 0 : Math.max(0, rows.length - HEAD_ROWS - TAIL_ROWS);
  const parts = useMemo(
    () => (hidden > 0 ? [rows.slice(0, HEAD_ROWS), rows.slice(-TAIL_ROWS)] : [rows]),
    [rows, hidden],
  );
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
        {parts.map((part, at) => (
          <Fragment key={at}>
            {at > 0 && (
              <p className="left-out">
                ⋮ not shown: {hidden} of {rows.length} lines{' '}
                <button type="button" className="quiet" onClick={() => setWhole(true)}>
                  Show all
                </button>
              </p>
            )}
            <Rows rows={part} layout={layout} />
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** A browser omits what is not on the screen table by table: in one table it would have to measure all rows. */
const TABLE_ROWS_MAX = 200;
/** Drawn in one go; the page answers its user before it continues with the next. */
const TABLES_AT_ONCE = 4;

function Rows({ rows, layout }: { readonly rows: readonly DiffRow[]; readonly layout: Layout }) {
  const pieces = useMemo(() => inPieces(rows, TABLE_ROWS_MAX), [rows]);
  const [drawn, setDrawn] = useState(TABLES_AT_ONCE);
  useEffect(() => {
    if (drawn >= pieces.length) return;
    const timer = setTimeout(() => setDrawn(drawn + TABLES_AT_ONCE));
    return () => clearTimeout(timer);
  }, [drawn, pieces]);
  return pieces.slice(0, drawn).map((piece, index) => <Piece key={index} rows={piece} layout={layout} />);
}

const Piece = memo(function Piece({
  rows,
  layout,
}: {
  readonly rows: readonly DiffRow[];
  readonly layout: Layout;
}) {
  return (
    <div className={layout === 'unified' ? 'diff-piece' : 'diff-piece beside'}>
      <table className="diff-table">
        <colgroup>
          {COLUMNS[layout].map((name, at) => (
            <col key={at} className={name} />
          ))}
        </colgroup>
        <tbody>
          {layout === 'unified'
            ? rows.map((row, index) => <UnifiedRow key={index} row={row} />)
            : sideBySide(rows).map((pair, index) => <PairRow key={index} pair={pair} />)}
        </tbody>
      </table>
    </div>
  );
});

const inPieces = <T,>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

const COLUMNS: { readonly [layout in Layout]: readonly string[] } = {
  unified: ['number', 'number', 'sign', 'content'],
  'side by side': ['number', 'content', 'number', 'content'],
};

const SIGNS = { same: ' ', added: '+', removed: '−', remark: '' } as const;
const WORDS = { same: null, added: 'added: ', removed: 'removed: ', remark: null } as const;

function UnifiedRow({ row }: { readonly row: DiffRow }) {
  if (row.kind === 'remark') return <Remark line={row.line} />;
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
  if (left?.kind === 'remark') return <Remark line={left.line} />;
  return (
    <tr>
      <td className="number">{left?.before}</td>
      <Content row={left} />
      <td className="number">{right?.after}</td>
      <Content row={right} />
    </tr>
  );
}

const Remark = ({ line }: { readonly line: Line }) => (
  <tr className="remark">
    <td colSpan={4}>
      <LineText line={line} />
    </td>
  </tr>
);

/** The kind is shown by colour, and by words for screen readers. */
function Content({ row }: { readonly row: DiffRow | null }) {
  if (row === null) return <td className="nothing" />;
  return (
    <td className={`content ${row.kind}`}>
      {WORDS[row.kind] && <span className="unseen">{WORDS[row.kind]}</span>}
      {lengthOf(row.line) > LINE_CHARS_MAX ? <LongLine line={row.line} /> : <LineText line={row.line} />}
    </td>
  );
}

const lengthOf = (line: Line): number => line.reduce((sum, { text }) => sum + text.length, 0);

function LongLine({ line }: { readonly line: Line }) {
  const lines = useMemo(() => [line], [line]);
  const { head, leftOut, tail, showAll } = useExcerpt(lines, LINE_ROWS_MAX);
  if (leftOut === null) return <LineText line={line} />;
  return (
    <>
      <LineText line={head[0] ?? []} />
      <span className="left-out">
        {' '}
        ⋮ {leftOut}{' '}
        <button type="button" className="quiet" onClick={showAll}>
          Show all
        </button>{' '}
      </span>
      <LineText line={tail[0] ?? []} />
    </>
  );
}
