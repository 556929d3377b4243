import {
  type Block,
  type Display,
  displayOf,
  excerptOf,
  firstRows,
  type Row,
  shareRows,
  visibleLine,
} from '@countersign/display';
import type { Question, RuleRef, Verdict } from '@countersign/protocol';
import { DiffDrawing } from '../diff/diff-rows.js';
import { highlighted, languageOf } from '../text/highlight.js';
import { layered } from '../text/layers.js';
import { row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, wrap } from '../text/wrap.js';

/** What is asked, wherever it waits. */
export type Asked = {
  readonly title: string;
  readonly question: Question;
  readonly verdict: Verdict;
};

export type Excerpt = { readonly rows: readonly StyledRow[]; readonly isCut: boolean };

const COLUMNS_MIN = 20;
const WHY_ROWS_MAX = 3;
/** Of warnings so many are on the screen with the choices; all are in the whole. */
const WARNINGS_SHOWN_MAX = 3;
const WARNING_ROWS_MAX = 2;

/** A question as rows: what would happen, why it is asked, and nothing from outside that could pass for our words. */
export class QuestionDrawing {
  readonly display: Display;
  readonly #asked: Asked;
  readonly #columns: number;
  readonly #diff: DiffDrawing | null;

  constructor(asked: Asked, columns: number) {
    this.#asked = asked;
    this.#columns = columns;
    const { confirmation } = asked.question;
    this.display = displayOf(asked.title, confirmation);
    const changed = this.display.blocks.find(({ as }) => as === 'diff');
    const language = confirmation.type === 'edit' ? languageOf(confirmation.fileName) : '';
    this.#diff = changed ? new DiffDrawing(changed.lines, language, columns - 2) : null;
  }

  /** On one row; null where it only repeats the command under it. */
  get title(): StyledRow | null {
    const { confirmation } = this.#asked.question;
    if (confirmation.type === 'exec' && this.#asked.title === confirmation.command) return null;
    const [first, more] = firstRows([this.display.title], this.#width('? '), 2);
    const segments = first ? styled(first) : [];
    return [...segments.map((each) => ({ role: 'strong' as const, ...each })), ...(more ? [seg('…')] : [])];
  }

  /** Whether title and warnings stand around the content as a whole. */
  get isHeadWhole(): boolean {
    const { title, warnings } = this.display;
    return (
      (this.title === null || firstRows([title], this.#width('? '), 2).length === 1) &&
      warnings.length <= WARNINGS_SHOWN_MAX &&
      warnings.every((warning) => this.#warning(warning).length <= WARNING_ROWS_MAX)
    );
  }

  /** Under the content: what is odd about it, and which rule wants it asked. */
  get below(): readonly StyledRow[] {
    const { warnings } = this.display;
    const shown = warnings.slice(0, WARNINGS_SHOWN_MAX);
    const more = warnings.length - shown.length;
    return [
      ...shown.flatMap((warning) => this.#warning(warning).slice(0, WARNING_ROWS_MAX)),
      ...(more > 0 ? [row(`  Warning: and ${more} more, in the full view`, 'warn')] : []),
      ...this.#why().slice(0, WHY_ROWS_MAX),
    ];
  }

  /** How many rows would show all of it, as far as that is at most so many. */
  rowsWanted(rowsMax: number): number {
    const { blocks } = this.display;
    return blocks.reduce((sum, block) => sum + this.#wholeBlock(block, rowsMax).length, 0);
  }

  /** As much as fits, the end included. */
  excerpt(rowsMax: number): Excerpt {
    const { blocks } = this.display;
    const wanted = blocks.map((block) => this.#wholeBlock(block, rowsMax + 1).length);
    const shares = shareRows(wanted, rowsMax);
    const isCut = blocks.some((_, index) => (wanted[index] ?? 0) > (shares[index] ?? 0));
    const rows = blocks.flatMap((block, index) => this.#block(block, shares[index] ?? 1));
    if (rows.length <= rowsMax) return { rows, isCut };
    // Not even a few rows of each fit.
    const left = cutRow(row(`  ⋮ ${rows.length - rowsMax + 1} rows and more, pgdn`, 'dim'), this.#columns);
    return { rows: [...rows.slice(0, rowsMax - 1), left], isCut: true };
  }

  /** All there is, to be scrolled through. */
  whole(): readonly StyledRow[] {
    return [
      ...firstRows([this.display.title], this.#width('  ┆ ')).map((each) => [seg('  ┆ '), ...styled(each)]),
      ...this.display.warnings.flatMap((warning) => this.#warning(warning)),
      ...this.display.blocks.flatMap((block) => this.#wholeBlock(block, Infinity)),
      ...this.#why(),
      // What an "always" would allow may be too long for the list of choices.
      ...this.#asked.question.offers.flatMap(({ grant }) =>
        grant === null ? [] : this.#sentence(`"Always" would allow: ${visibleLine(grant.text)}`, 'dim'),
      ),
    ];
  }

  #why(): readonly StyledRow[] {
    const { reason, rule } = this.#asked.verdict;
    // Most reasons name the rule themselves.
    const isNamed = rule === null || reason.includes(`${rule.file}:${rule.line}`);
    const by = isNamed ? '' : ` (${ruleText(rule)})`;
    return this.#sentence(`Why you are asked: ${visibleLine(reason)}${visibleLine(by)}`, 'dim');
  }

  #warning(warning: string): readonly StyledRow[] {
    return this.#sentence(`Warning: ${warning}`, 'warn');
  }

  #sentence(text: string, role: 'warn' | 'dim'): readonly StyledRow[] {
    return wrap(row(text, role), this.#width('    '), 'words').map((segments, index) => [
      seg(index === 0 ? '  ' : '    '),
      ...segments,
    ]);
  }

  #width = (left: string): number => Math.max(COLUMNS_MIN, this.#columns - left.length);

  #wholeBlock(block: Block, rowsMax: number): readonly StyledRow[] {
    if (block.as === 'diff' && this.#diff)
      return indented(rowsMax === Infinity ? this.#diff.whole() : this.#diff.excerpt(rowsMax));
    const rows = firstRows(block.lines, this.#width(this.#gutter(block, '│')), rowsMax);
    return this.#drawn(block, rows, 0);
  }

  #block(block: Block, rowsMax: number): readonly StyledRow[] {
    if (block.as === 'diff' && this.#diff) return indented(this.#diff.excerpt(rowsMax));
    const { head, leftOut, tail } = excerptOf(block.lines, this.#width(this.#gutter(block, '│')), rowsMax);
    if (leftOut === null) return this.#drawn(block, head, 0);
    return [
      ...this.#drawn(block, head, 0),
      cutRow(row(`  ⋮ ${leftOut}`, 'dim'), this.#columns),
      ...this.#drawn(block, tail, 1),
    ];
  }

  #drawn(block: Block, rows: readonly Row[], place: number): readonly StyledRow[] {
    const isCommand = block.label === null && this.#asked.question.confirmation.type === 'exec';
    return rows.map((each, index) => [
      seg(this.#gutter(block, each.begins ? '│' : '┆', place + index === 0 ? 'named' : 'nameless'), 'dim'),
      ...(isCommand ? commandSegments(each) : styled(each)),
    ]);
  }

  /** Left of the bar is text of the program, right of it is not. A row that continues with a line has another bar than one that begins one. */
  #gutter({ label }: Block, bar: '│' | '┆', how: 'named' | 'nameless' = 'named'): string {
    if (label === null) return `  ${bar} `;
    const labelled = Math.max(...this.display.blocks.map((block) => block.label?.length ?? 0));
    return `  ${(how === 'named' ? label : '').padEnd(labelled)} ${bar} `;
  }
}

const styled = ({ spans }: Row): StyledRow =>
  spans.map(({ as, text }) => (as === 'code' ? seg(text, 'hidden') : seg(text)));

function commandSegments({ spans }: Row): StyledRow {
  const [layers = []] = highlighted([spans.map(({ text }) => text).join('')], 'bash');
  return layered(spans, layers);
}

const indented = (rows: readonly StyledRow[]): readonly StyledRow[] =>
  rows.map((segments) => [seg('  '), ...segments]);

const ruleText = ({ name, file, line }: RuleRef): string =>
  `rule ${name === null ? '' : `"${name}" in `}${file}:${line}`;
