import {
  type Block,
  type Display,
  displayOf,
  excerptOf,
  firstRows,
  type Row,
  shareRows,
  textOf,
  visibleLine,
} from '@countersign/display';
import type { Question, Verdict } from '@countersign/protocol';
import { wrapped } from './wrapped.js';

export type Asked = { readonly title: string; readonly question: Question; readonly verdict: Verdict };

export type Shown = {
  readonly colour: boolean;
  /** The width of the terminal; undefined if there is none, and then lines are not wrapped. */
  readonly columns?: number | undefined;
  /** The whole question, or what fits on the screen above the rows of choices. */
  readonly extent: 'whole' | { readonly screenRows: number; readonly rowsBelow: number };
};

export type QuestionText = {
  readonly text: string;
  /** Whether rows are omitted. */
  readonly isCut: boolean;
};

/** On a smaller screen the question scrolls. */
const CONTENT_ROWS_MIN = 6;
const COLUMNS_MIN = 20;

/** A question as plain text: the action, the reason for asking, and no foreign text that could look like ours. */
export function questionText({ title, question, verdict }: Asked, shown: Shown): QuestionText {
  const display = displayOf(title, question.confirmation);
  const { columns, extent } = shown;
  const above = titleOf(display, shown);
  const below = [
    ...display.warnings.map((warning) => wrapped(`  Warning: ${warning}`, columns, '    ')),
    wrapped(`  Why you are asked: ${visibleLine(verdict.reason)}`, columns, '    '),
    `  ${display.asks}`,
  ].flatMap((text) => text.split('\n'));
  const rowsLeft =
    extent === 'whole'
      ? Infinity
      : Math.max(CONTENT_ROWS_MIN, extent.screenRows - extent.rowsBelow - above.rows.length - below.length);
  const content = contentOf(display, shown, rowsLeft);
  return {
    text: [...above.rows, ...content.rows, ...below].join('\n'),
    isCut: above.isCut || content.isCut,
  };
}

type Part = { readonly rows: readonly string[]; readonly isCut: boolean };

/** A title may contain a very long file name. One row is enough, since the blocks show the details. */
function titleOf({ title }: Display, { columns = Infinity, extent }: Shown): Part {
  const goesOn = gutter(null, '┆');
  const [first, ...more] = firstRows(
    [title],
    columnsLeft(columns, goesOn),
    extent === 'whole' ? Infinity : 2,
  );
  const begin = textOf(first?.spans ?? []);
  if (extent !== 'whole' && more.length > 0) return { rows: ['', `${begin}…`], isCut: true };
  return { rows: ['', begin, ...more.map(({ spans }) => `${goesOn}${textOf(spans)}`)], isCut: false };
}

/** Without the gutter and the last column, where some terminals wrap. */
const columnsLeft = (columns: number, left: string): number =>
  Math.max(COLUMNS_MIN, columns - left.length - 1);

function contentOf({ blocks }: Display, shown: Shown, rowsMax: number): Part {
  const { columns = Infinity } = shown;
  const labelled = Math.max(0, ...blocks.map(({ label }) => label?.length ?? 0));
  const label = ({ label: given }: Block) => given?.padEnd(labelled) ?? null;
  const widthOf = (block: Block) => columnsLeft(columns, gutter(label(block)));
  const wanted = blocks.map((block) => firstRows(block.lines, widthOf(block), rowsMax).length);
  const shares = shareRows(wanted, rowsMax);
  const rows: string[][] = [];
  let isCut = false;
  for (const [index, block] of blocks.entries()) {
    const { head, leftOut, tail } = excerptOf(block.lines, widthOf(block), shares[index] ?? 1);
    const nameless = label(block)?.replace(/./g, ' ') ?? null;
    const draw = (row: Row, place: number) =>
      `${gutter(place === 0 ? label(block) : nameless, row.begins ? '│' : '┆')}${drawn(row, block, shown.colour)}`;
    rows.push(head.map(draw));
    if (leftOut === null) continue;
    isCut = true;
    rows.push(
      [`  ⋮ ${leftOut}`],
      tail.map((row) => draw(row, 1)),
    );
  }
  return { rows: rows.flat(), isCut };
}

/** Separates our text from foreign text. A wrapped row has another bar than the first row of a line. */
const gutter = (label: string | null, bar: '│' | '┆' = '│'): string =>
  `  ${label === null ? '' : `${label} `}${bar} `;

function drawn({ spans, line }: Row, block: Block, colour: boolean): string {
  if (!colour) return textOf(spans);
  const text = spans.map((span) => (span.as === 'code' ? inverse(span.text) : span.text)).join('');
  return block.as === 'diff' ? diffColour(textOf(block.lines[line] ?? []), text) : text;
}

const inverse = (text: string): string => `\u001b[7m${text}\u001b[27m`;

function diffColour(line: string, text: string): string {
  if (line.startsWith('+')) return `\u001b[32m${text}\u001b[39m`;
  if (line.startsWith('-')) return `\u001b[31m${text}\u001b[39m`;
  if (line.startsWith('@@')) return `\u001b[36m${text}\u001b[39m`;
  return text;
}
