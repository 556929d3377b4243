import type { Block } from '@countersign/kernel';
import type { Confirmation } from '@countersign/protocol';
import { useState } from 'react';
import { LineText } from '../parts/lines.js';
import { DiffView } from './diff-view.js';

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

/** More are drawn on request: what is agreed to can always be seen whole. */
const LINES_SHOWN = 60;

/** The very thing that is asked about. */
function Subject({ block: { lines }, as }: { readonly block: Block; readonly as: Confirmation['type'] }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - LINES_SHOWN);
  return (
    <>
      <pre className={`subject ${as}`} tabIndex={0} aria-label={SUBJECTS[as]}>
        {lines.slice(0, lines.length - hidden).map((line, index) => (
          <span key={index} className="line">
            <LineText line={line} />
            {'\n'}
          </span>
        ))}
      </pre>
      {hidden > 0 && (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {hidden} more lines are not shown. Show all {lines.length}
        </button>
      )}
    </>
  );
}

const SUBJECTS: { readonly [type in Confirmation['type']]: string } = {
  edit: 'The change',
  exec: 'The command',
  mcp: 'The arguments',
  info: 'What it would do',
  ask_user: 'The questions',
  exit_plan_mode: 'The plan',
};

function Named({
  block: { lines },
  label,
  risk,
}: {
  readonly block: Block;
  readonly label: string;
  readonly risk: string | null;
}) {
  return (
    <dl className={label === 'Risk' && risk !== null ? `named risk-${risk}` : 'named'}>
      <dt>{label}</dt>
      <dd>
        {lines.map((line, index) => (
          <div key={index}>
            <LineText line={line} />
          </div>
        ))}
      </dd>
    </dl>
  );
}

const riskIn = (confirmation: Confirmation): string | null =>
  confirmation.type === 'exec' ? confirmation.riskLevel : null;
