import { columnsOf } from '@countersign/display';
import { type Block, type Blocks, type QuestionOnScreen, SIGN_COLUMNS_MAX } from './blocks.js';

/** Erase so many lines, from the last one up: what is written before a frame is drawn again. */
const ERASED = /^\u001b\[2K(?:\u001b\[1A\u001b\[2K)*\u001b\[G/;
/** Sequences that leave the cursor where it is: cursor shown or hidden, a frame begun or ended. */
const STANDS_STILL = /^(?:\u001b\[\?\d+[hl])*$/;
/** Erase all, also what has scrolled away: written where the screen has become lower than what is drawn. */
const ALL_ERASED = '\u001b[2J\u001b[3J\u001b[H';
/** The scrollback belongs to the user, and not all of it is ours. */
const SCREEN_ERASED = '\u001b[2J\u001b[H';
const LOOKS = /\u001b\[[\d;]*m/g;

/**
 * The same stream, with rows in the place of the blocks, and with less to draw: where a frame takes the place of the
 * last one, only the rows that differ are written. A screen that is erased as a whole ten times a second flickers,
 * and over a slow line it crawls.
 */
export function calmOutput(stdout: NodeJS.WriteStream, blocks: Blocks): NodeJS.WriteStream {
  let last: readonly string[] | null = null;
  let lastColumns = stdout.columns;
  /** The questions in what was made of the last chunk. */
  let asked: readonly QuestionOnScreen[] = [];
  return new Proxy(stdout, {
    get(target, name) {
      // What lays out signs has no need to fill rows with blanks.
      if (name === 'columns') return SIGN_COLUMNS_MAX;
      if (name === 'write')
        return (chunk: string | Uint8Array, ...rest: []) =>
          typeof chunk === 'string' && rest.length === 0
            ? written(calm(chunk))
            : target.write(typeof chunk === 'string' ? calm(chunk) : chunk, ...rest);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

  /** A question is on the screen once the terminal has taken all of it, and no sooner. */
  function written(text: string): boolean {
    const questions = asked.filter(({ shownAt }) => shownAt === null);
    const isTaken = () => {
      for (const question of questions) {
        if (question.shownAt !== null) continue;
        question.shownAt = performance.now();
        // Not while it is being drawn.
        queueMicrotask(question.onShown);
      }
    };
    const hasRoom = stdout.write(text, (error) => {
      if (!error) return isTaken();
      // Also after it seemed to be taken. What comes next is drawn as a whole, since nothing of this can be seen.
      for (const question of questions) question.shownAt = null;
      last = null;
    });
    if (hasRoom) isTaken();
    return hasRoom;
  }

  function calm(chunk: string): string {
    asked = [];
    if (STANDS_STILL.test(chunk)) return chunk;
    const { columns, rows: rowsOnScreen } = stdout;
    const isNarrower = columns < lastColumns;
    lastColumns = columns;
    if (chunk.startsWith(ALL_ERASED)) {
      // All that was ever printed comes once more, and then the frame. What its signs stood for may be forgotten.
      const lines = chunk.slice(ALL_ERASED.length).split('\n');
      const first = lines.findIndex((line) => blocks.at(line)?.kind === 'live');
      const rows = first === -1 ? [] : rowsOf(lines.slice(first));
      // A frame that does not fill the screen ends with a line feed, as it is erased later on.
      last = rows.length < rowsOnScreen ? [...rows, ''] : rows;
      return SCREEN_ERASED + last.join('\n');
    }
    const erased = ERASED.exec(chunk)?.[0] ?? '';
    const frame = chunk.slice(erased.length);
    const before = last;
    last = frame === '' ? null : rowsOf(frame.split('\n'));
    const drawn = last?.join('\n') ?? '';
    const count = erased === '' ? 0 : erased.split('\u001b[2K').length - 1;
    if (before === null || before.length !== count) return erased + drawn;
    if (isNarrower) return eraseRows(before.reduce((sum, row) => sum + brokenInto(row, columns), 0)) + drawn;
    return last === null ? erased : changes(before, last);
  }

  /** The sign of a block is its first line, and its other lines are empty. */
  function rowsOf(lines: readonly string[]): readonly string[] {
    const rows: string[] = [];
    for (let at = 0; at < lines.length; ) {
      const line = lines[at] ?? '';
      const block = blocks.at(line);
      rows.push(...(block ? fitting(block) : [line]));
      if (block?.asks && isFitting(block)) asked = [...asked, block.asks];
      at += block?.rows.length ?? 1;
    }
    return rows;
  }

  /** On a screen that was made narrower rows of before would be broken; the next frame has those that fit. */
  function fitting(block: Block): readonly string[] {
    return isFitting(block) ? block.rows : block.rows.map(() => '');
  }

  function isFitting({ columns }: Block): boolean {
    return (stdout.columns || Infinity) > columns;
  }
}

/** Nearly all terminals break what they show again when they are made narrower. */
const brokenInto = (row: string, columns: number): number =>
  Math.max(1, Math.ceil(columnsOf(row.replace(LOOKS, '')) / columns));

const eraseRows = (count: number): string => `\u001b[2K${'\u001b[1A\u001b[2K'.repeat(count - 1)}\u001b[G`;

/** From below the last row of one frame to below that of the next. */
function changes(before: readonly string[], after: readonly string[]): string {
  const up = before.length - 1;
  let text = up > 0 ? `\r\u001b[${up}A` : '\r';
  for (const [index, row] of after.entries()) {
    const isLast = index === after.length - 1;
    if (index >= before.length || row !== before[index]) text += `\u001b[2K${row}`;
    if (!isLast) text += index < before.length - 1 ? '\r\u001b[1B' : '\r\n';
  }
  return after.length < before.length ? `${text}\r\u001b[0J` : text;
}
