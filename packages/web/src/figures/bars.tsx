import { durationText } from '@countersign/kernel';
import type { AnswerOf } from '@countersign/server/client';

type ByTool = AnswerOf<'statistics'>['byTool'];

const WIDTH = 600;
const ROW = 30;
const NAMES = 190;
const FIGURES = 120;
const BAR = WIDTH - NAMES - FIGURES;
/** The most used; the table has all. */
const ROWS_MAX = 10;

/** How calls of each tool ended. */
export function ShareBars({ byTool }: { readonly byTool: ByTool }) {
  const rows = byTool.slice(0, ROWS_MAX);
  return (
    <section className="chart" aria-label="Success by tool">
      <h2>Success by tool</h2>
      <svg viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`} role="img" aria-label={rows.map(shareText).join('; ')}>
        {rows.map((row, index) => {
          const { tool, calls, success, error, cancelled } = row;
          const parts = [
            ['success', success],
            ['error', error],
            ['cancelled', cancelled],
          ] as const;
          let x = NAMES;
          return (
            <g key={tool} transform={`translate(0 ${index * ROW})`}>
              <Name text={tool} />
              {parts.map(([end, count]) => {
                const width = (count / Math.max(1, calls)) * BAR;
                x += width;
                return <rect key={end} className={end} x={x - width} y="8" width={width} height="14" />;
              })}
              <text x={NAMES + BAR + 10} y="20">
                {success} of {calls}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

const shareText = ({ tool, calls, success }: ByTool[number]): string => `${tool}: ${success} of ${calls} succeeded`;

type SpreadRow = { readonly name: string; readonly median: number; readonly p95: number };

/** Median and 95th percentile, on a scale that shows both a millisecond and a minute. */
export function SpreadBars({
  title,
  rows: given,
  empty,
}: {
  readonly title: string;
  readonly rows: readonly SpreadRow[];
  readonly empty: string;
}) {
  const rows = given.slice(0, ROWS_MAX);
  const most = Math.max(1, ...rows.map(({ p95 }) => scaled(p95)));
  return (
    <section className="chart" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="dim">{empty}</p>
      ) : (
        <>
          <svg viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`} role="img" aria-label={rows.map(spreadText).join('; ')}>
            {rows.map(({ name, median, p95 }, index) => (
              <g key={name} transform={`translate(0 ${index * ROW})`}>
                <Name text={name} />
                <rect className="p95" x={NAMES} y="8" width={(scaled(p95) / most) * BAR} height="14" />
                <rect className="median" x={NAMES} y="8" width={(scaled(median) / most) * BAR} height="14" />
                <text x={NAMES + BAR + 10} y="20">
                  {durationText(median)} / {durationText(p95)}
                </text>
              </g>
            ))}
          </svg>
          <p className="legend">
            <span>
              <i className="swatch median" aria-hidden="true" /> median
            </span>
            <span>
              <i className="swatch p95" aria-hidden="true" /> 95 of 100 are shorter
            </span>
            <span className="dim">logarithmic</span>
          </p>
        </>
      )}
    </section>
  );
}

const spreadText = ({ name, median, p95 }: SpreadRow): string =>
  `${name}: median ${durationText(median)}, 95th percentile ${durationText(p95)}`;

const scaled = (ms: number): number => Math.log10(1 + Math.max(0, ms));

const NAME_CHARS_MAX = 24;

const Name = ({ text }: { readonly text: string }) => (
  <text x="0" y="20">
    {text.length > NAME_CHARS_MAX ? `${text.slice(0, NAME_CHARS_MAX - 1)}…` : text}
  </text>
);
