import { type Block, KINDS, type Line } from '@countersign/display';
import type { Confirmation } from '@countersign/protocol';
import { LineText } from '../parts/lines.js';
import { DiffView } from './diff-view.js';
import { type Shown, useExcerpt } from './use-excerpt.js';

/** What belongs to a question, each piece under its name. */
export function Blocks({
  confirmation,
  blocks,
}: {
  readonly confirmation: Confirmation;
  readonly blocks: readonly Block[];
}) {
  return (
    <div className="blocks">
      {blocks.map((block, index) =>
        block.as === 'diff' ? (
          <DiffView key={index} lines={block.lines} label="The change" />
        ) : block.label === null ? (
          <Subject key={index} block={block} as={confirmation.type} />
        ) : (
          <Named key={index} block={block} label={block.label} risk={riskIn(confirmation)} />
        ),
      )}
    </div>
  );
}

/** The content itself gets a screen, its description a paragraph. */
const SUBJECT_ROWS_MAX = 40;
const NAMED_ROWS_MAX = 8;

/** The very thing that is asked about. */
function Subject({ block: { lines }, as }: { readonly block: Block; readonly as: Confirmation['type'] }) {
  const shown = useExcerpt(lines, SUBJECT_ROWS_MAX);
  const { head, tail } = shown;
  return (
    <div className={`subject ${as}`} role="group" aria-label={KINDS[as].subject}>
      <Quoted lines={head} />
      <LeftOut shown={shown} />
      {tail.length > 0 && <Quoted lines={tail} />}
    </div>
  );
}

const Quoted = ({ lines }: { readonly lines: readonly Line[] }) => (
  <pre>
    {lines.map((line, index) => (
      <span key={index} className="line">
        <LineText line={line} />
        {'\n'}
      </span>
    ))}
  </pre>
);

function LeftOut({ shown: { leftOut, showAll } }: { readonly shown: Shown }) {
  if (leftOut === null) return null;
  return (
    <p className="left-out">
      ⋮ {leftOut}{' '}
      <button type="button" className="quiet" onClick={showAll}>
        Show all
      </button>
    </p>
  );
}

function Named({
  block: { lines },
  label,
  risk,
}: {
  readonly block: Block;
  readonly label: string;
  readonly risk: string | null;
}) {
  const shown = useExcerpt(lines, NAMED_ROWS_MAX);
  return (
    <dl className={label === 'Risk' && risk !== null ? `named risk-${risk}` : 'named'}>
      <dt>{label}</dt>
      <dd>
        <Lines lines={shown.head} />
        <LeftOut shown={shown} />
        <Lines lines={shown.tail} />
      </dd>
    </dl>
  );
}

const Lines = ({ lines }: { readonly lines: readonly Line[] }) =>
  lines.map((line, index) => (
    <div key={index}>
      <LineText line={line} />
    </div>
  ));

const riskIn = (confirmation: Confirmation): string | null =>
  confirmation.type === 'exec' ? confirmation.riskLevel : null;
