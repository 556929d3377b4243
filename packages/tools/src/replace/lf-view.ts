import { type DecodedText, lineChanges, splitLines } from '@countersign/host';
import { countBelow } from './sorted.js';

/**
 * A text as a model sees it: every line ends in `\n`, whatever it ends in in the
 * file. What is put in place of a part of it ends its lines the way the file does.
 */
export type LfView = {
  readonly text: string;
  /** The whole text of the file with these parts replaced; in order, and none within another. */
  readonly withReplaced: (parts: readonly Part[]) => string;
};

export type Part = { readonly start: number; readonly end: number; readonly text: string };

export function lfView({ text: original, lineEnding }: Pick<DecodedText, 'text' | 'lineEnding'>): LfView {
  if (lineEnding === '\n') return { text: original, withReplaced: (parts) => joined(original, parts) };
  const text = withLf(original);
  const breaks = shortenedBreaks(original);
  const fileOffset = (offset: number) => offset + countBelow(breaks, offset);
  return {
    text,
    withReplaced: (parts) =>
      joined(
        original,
        parts.map((part) => {
          const [start, end] = [fileOffset(part.start), fileOffset(part.end)];
          if (lineEnding === '\r\n') return { start, end, text: part.text.replaceAll('\n', '\r\n') };
          return { start, end, text: brokenAsBefore(original, start, end, part.text) };
        }),
      ),
  };
}

export const withLf = (text: string): string => text.replaceAll('\r\n', '\n');

function joined(text: string, parts: readonly Part[]): string {
  let result = '';
  let copied = 0;
  for (const { start, end, text: part } of parts) {
    result += text.slice(copied, start) + part;
    copied = end;
  }
  return result + text.slice(copied);
}

/** Where in the shortened text a `\n` was `\r\n`. */
function shortenedBreaks(original: string): number[] {
  const breaks: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
    breaks.push(at - breaks.length);
  return breaks;
}

/** In a file with both kinds of line ends: lines that stay keep theirs, a changed one has that of the line it replaces. */
function brokenAsBefore(original: string, start: number, end: number, text: string): string {
  const before = splitLines(original.slice(start, end));
  const after = splitLines(text);
  const usual = breakAt(original, start);
  const result: string[] = [];
  let copied = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of lineChanges(before.map(withLf), after)) {
    result.push(before.slice(copied, oldStart).join(''));
    for (let at = newStart; at < newEnd; at += 1) {
      const replaced = oldStart + at - newStart < oldEnd ? before[oldStart + at - newStart] : undefined;
      const ending = replaced?.endsWith('\n') ? breakAt(replaced, 0) : usual;
      result.push((after[at] ?? '').replace(/\n$/u, () => ending));
    }
    copied = oldEnd;
  }
  return result.join('') + before.slice(copied).join('');
}

/** How the line at this offset ends; the last line of a text as the one before it. */
function breakAt(text: string, offset: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', offset);
  const at = next === -1 ? text.lastIndexOf('\n', offset) : next;
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
