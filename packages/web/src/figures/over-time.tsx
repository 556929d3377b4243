import type { AnswerOf } from '@countersign/server/client';

type Steps = AnswerOf<'statistics'>['overTime'];

const WIDTH = 600;
const HEIGHT = 140;
const FOOT = 18;

const ENDS = ['success', 'error', 'cancelled'] as const;
const WORDS = { success: 'succeeded', error: 'failed', cancelled: 'were cancelled' } as const;
const CLOCK = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** Calls over time, by how they ended: a column for each step. */
export function OverTime({ overTime: { steps, stepMs } }: { readonly overTime: Steps }) {
  const most = Math.max(1, ...steps.map((step) => step.success + step.error + step.cancelled));
  const width = WIDTH / Math.max(1, steps.length);
  const sums = ENDS.map((end) => `${steps.reduce((sum, step) => sum + step[end], 0)} ${WORDS[end]}`);
  const first = steps[0]?.at ?? 0;
  const last = (steps.at(-1)?.at ?? 0) + stepMs;
  return (
    <section className="chart wide" aria-label="Calls over time">
      <h2>Calls over time</h2>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`}
        role="img"
        aria-label={`From ${CLOCK.format(first)} to ${CLOCK.format(last)}: ${sums.join(', ')}; at most ${most} in one step.`}
      >
        <line className="axis" x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
        {steps.flatMap((step, index) => {
          let foot = HEIGHT;
          return ENDS.filter((end) => step[end] > 0).map((end) => {
            const height = (step[end] / most) * (HEIGHT - 4);
            foot -= height;
            return (
              <rect
                key={`${index} ${end}`}
                className={end}
                x={index * width + width * 0.1}
                y={foot}
                width={width * 0.8}
                height={height}
              />
            );
          });
        })}
        <text x="0" y={HEIGHT + 14}>
          {CLOCK.format(first)}
        </text>
        <text x={WIDTH} y={HEIGHT + 14} textAnchor="end">
          {CLOCK.format(last)}
        </text>
        <text x="0" y="10">
          {most}
        </text>
      </svg>
      <p className="legend">
        {ENDS.map((end) => (
          <span key={end}>
            <i className={`swatch ${end}`} aria-hidden="true" /> {WORDS[end]}
          </span>
        ))}
      </p>
    </section>
  );
}
