import { lineOf, textOf } from '@countersign/display';
import type { StyledRow } from '../text/styled.js';
import { seg } from '../text/styled.js';
import { wrap } from '../text/wrap.js';
import type { TextBuffer } from './text-buffer.js';

export type BufferSize = { readonly columns: number; readonly rowsMax: number; readonly mark: string };

/** A text being typed, with its cursor; of a long one the rows around that. */
export function bufferRows({ text, cursor }: TextBuffer, size: BufferSize): readonly StyledRow[] {
  const { columns, rowsMax, mark } = size;
  const width = Math.max(1, columns - mark.length - 1);
  const rows: StyledRow[] = [];
  let cursorRow = 0;
  let from = 0;
  for (const line of text.split('\n')) {
    const to = from + line.length;
    const isHere = cursor >= from && cursor <= to;
    for (const drawn of wrap(
      isHere ? withCursor(line, cursor - from) : [seg(shown(line))],
      width,
      'anywhere',
    )) {
      if (drawn.some(({ role }) => role === 'cursor')) cursorRow = rows.length;
      rows.push([seg(rows.length === 0 ? mark : ' '.repeat(mark.length), 'accent'), ...drawn]);
    }
    from = to + 1;
  }
  const start = Math.max(0, Math.min(cursorRow - rowsMax + 1, rows.length - rowsMax));
  return rows.slice(start, start + rowsMax);
}

function withCursor(line: string, at: number): StyledRow {
  const under = /^./su.exec(line.slice(at))?.[0] ?? '';
  return [
    seg(shown(line.slice(0, at))),
    seg(under === '' || under === '\t' ? ' ' : shown(under), 'cursor'),
    seg(shown(line.slice(at + under.length))),
  ];
}

/** What is pasted may hold anything. */
const shown = (text: string): string => textOf(lineOf(text.replaceAll('\t', '    '), 'one line'));
