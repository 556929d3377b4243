import { durationText } from '@countersign/client';
import type { AnswerOf } from '@countersign/server/client';
import type { ReactNode } from 'react';

type ByTool = AnswerOf<'statistics'>['byTool'];

/** The most used; the table has all. */
const ROWS_MAX = 10;
/** Units of a bar, which is stretched to the room it has. */
const FULL = 100;

export const Chart = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="chart" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** How calls of each tool ended. */
export function ShareBars({ byTool }: { readonly byTool: ByTool }) {
  return (
    <Chart title="Success by tool">
      <ul className="bars">
        {byTool.slice(0, ROWS_MAX).map(({ tool, calls, success, error, cancelled }) => {
          const share = (count: number) => (count / Math.max(1, calls)) * FULL;
          return (
            <BarRow key={tool} name={tool} words={`${success} of ${calls}`}>
              <rect className="success" x="0" y="0" width={share(success)} height="1" />
              <rect className="error" x={share(success)} y="0" width={share(error)} height="1" />
              <rect
                className="cancelled"
                x={share(success + error)}
                y="0"
                width={share(cancelled)}
                height="1"
              />
            </BarRow>
          );
        })}
      </ul>
    </Chart>
  );
}

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
  const length = (ms: number) => (scaled(ms) / most) * FULL;
  if (rows.length === 0)
    return (
      <Chart title={title}>
        <p className="dim">{empty}</p>
      </Chart>
    );
  return (
    <Chart title={title}>
      <ul className="bars">
        {rows.map(({ name, median, p95 }) => (
          <BarRow key={name} name={name} words={`${durationText(median)} / ${durationText(p95)}`}>
            <rect className="p95" x="0" y="0" width={length(p95)} height="1" />
            <rect className="median" x="0" y="0" width={length(median)} height="1" />
          </BarRow>
        ))}
      </ul>
      <p className="legend">
        <span>
          <i className="swatch median" aria-hidden="true" /> median
        </span>
        <span>
          <i className="swatch p95" aria-hidden="true" /> 95 % are shorter
        </span>
        <span>logarithmic</span>
      </p>
    </Chart>
  );
}

const scaled = (ms: number): number => Math.log10(1 + Math.max(0, ms));

/** A name, a bar, and the same in figures. */
const BarRow = ({
  name,
  words,
  children,
}: {
  readonly name: string;
  readonly words: string;
  readonly children: ReactNode;
}) => (
  <li>
    <span className="bar-name">{name}</span>
    <svg viewBox={`0 0 ${FULL} 1`} preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
    <span className="bar-words">{words}</span>
  </li>
);
