import { linesInWords } from '@countersign/host';
import { LINE_CHARS_MAX, TEXT_CHARS_MAX } from './pick-lines.js';
import type { ReadText } from './read-text.js';

/** The text itself, and before it whatever keeps it from being all that was asked for. */
export function forModel(read: ReadText, shown: string): string {
  if (read.total === 0) return `[${shown} is empty.]`;
  const notes = [
    ...(read.more ? [howToReadOn(read, shown)] : []),
    ...(read.cutLines.length > 0 ? [howToSeeWhatWasCut(read)] : []),
    ...(read.isDamaged ? ['Bytes that are not UTF-8 are shown as "\ufffd".'] : []),
  ];
  return notes.length === 0 ? read.text : `[${notes.join(' ')}]\n${read.text}`;
}

function howToReadOn({ first, last, total }: ReadText, shown: string): string {
  const of = total === null ? '' : ` of ${total}`;
  return `Lines ${first}-${last}${of} of ${shown}. Continue with start_line ${last + 1}.`;
}

function howToSeeWhatWasCut({ cutLines, first, last }: ReadText): string {
  const [line = first] = cutLines;
  if (first === last)
    return `Line ${line} is longer than ${TEXT_CHARS_MAX} characters and was cut. Search it with grep_search, or take a part of it with a command, e.g. cut -c.`;
  return `${linesInWords(cutLines.length)} longer than ${LINE_CHARS_MAX} characters cut, marked "…". To see more of one, read it alone, e.g. start_line ${line}, end_line ${line}.`;
}

export function forPerson(read: ReadText, shown: string, what: 'the file' | 'a range'): string {
  const count = read.last - read.first + 1;
  const inPart = count > 0 && (what === 'a range' || read.more);
  const lines = inPart ? `lines ${read.first}-${read.last}` : linesInWords(count);
  const remarks = read.remarks.length === 0 ? '' : ` (${read.remarks.join(', ')})`;
  return `Read ${lines} of ${shown}${remarks}`;
}
