import type { AnswerOf } from '@countersign/server/client';

type Steps = AnswerOf<'statistics'>['overTime'];

/** Units of the drawing, which is stretched to the room it has. */
const HEIGHT = 100;
const COLUMN = 10;
const COLUMN_FILLED = 8;

const ENDS = ['success', 'error', 'cancelled'] as const;
const WORDS = { success: 'succeeded', error: 'failed', cancelled: 'were cancelled' } as const;
const LEGEND = { success: 'succeeded', error: 'failed', cancelled: 'cancelled' } as const;
const CLOCK = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });
const SECONDS = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** Calls over time, by how they ended: a column for each step. */
export function OverTime({ overTime: { steps, stepMs } }: { readonly overTime: Steps }) {
  const most = Math.max(1, ...steps.map((step) => step.success + step.error + step.cancelled));
  const sums = ENDS.map((end) => `${steps.reduce((sum, step) => sum + step[end], 0)} ${WORDS[end]}`);
  const first = CLOCK.format(steps[0]?.at ?? 0);
  const last = CLOCK.format((steps.at(-1)?.at ?? 0) + stepMs);
  return (
    <section className="chart wide" aria-label="Calls over time">
      <h2>Calls over time</h2>
      <svg
        className="columns-chart"
        viewBox={`0 0 ${steps.length * COLUMN} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`From ${first} to ${last}: ${sums.join(', ')}.`}
      >
        {steps.map((step, index) => (
          <Column key={step.at} step={step} x={index * COLUMN} most={most} />
        ))}
      </svg>
      <p className="axis-words">
        <span>{first}</span>
        <span>the highest bar: {most}</span>
        <span>{last}</span>
      </p>
      <p className="legend">
        {ENDS.map((end) => (
          <span key={end}>
            <i className={`swatch ${end}`} aria-hidden="true" /> {LEGEND[end]}
          </span>
        ))}
      </p>
      <StepTable steps={steps} />
    </section>
  );
}

/** The same in numbers; steps in which nothing ended are omitted. */
function StepTable({ steps }: Pick<Steps, 'steps'>) {
  return (
    <details>
      <summary>As a table</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Calls over time, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {ENDS.map((end) => (
                <th key={end} scope="col">
                  {LEGEND[end]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps
              .filter((step) => ENDS.some((end) => step[end] > 0))
              .map((step) => (
                <tr key={step.at}>
                  <th scope="row">{SECONDS.format(step.at)}</th>
                  {ENDS.map((end) => (
                    <td key={end}>{step[end]}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Column({
  step,
  x,
  most,
}: {
  readonly step: Steps['steps'][number];
  readonly x: number;
  readonly most: number;
}) {
  let top = HEIGHT;
  return ENDS.map((end) => {
    const height = (step[end] / most) * HEIGHT;
    top -= height;
    return <rect key={end} className={end} x={x} y={top} width={COLUMN_FILLED} height={height} />;
  });
}
