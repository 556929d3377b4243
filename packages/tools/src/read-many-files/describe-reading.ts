import { onOneLine } from '@countersign/host';
import type { ModelContent, ToolResult } from '@countersign/protocol';
import type { Piece, Reading, ReadPart } from './read-in-turn.js';

export type Circumstances = {
  /** How many files were wanted. */
  readonly count: number;
  /** Directories that could not be read. */
  readonly unreadable: readonly string[];
  readonly include: readonly string[];
  /** Files that were found and not read because they usually hold secrets. */
  readonly withheld: readonly string[];
};

const NAMED_MAX = 20; // of a longer list the beginning is enough

export function describeReading(
  reading: Reading,
  { count, unreadable, include, withheld }: Circumstances,
): ToolResult {
  const { parts, refused, left } = reading;
  const leftCount = count - parts.length - refused.length;
  const notes = [
    ...(refused.length > 0 ? [`Not read:\n${listed(refused.map(({ reason }) => reason))}`] : []),
    ...(leftCount > 0
      ? [`No room for ${files(leftCount)}; read these in further calls:\n${listed(left, leftCount)}`]
      : []),
    ...(withheld.length > 0
      ? [`Excluded, because they usually hold secrets; give a full path to ask for one:\n${listed(withheld)}`]
      : []),
    ...(unreadable.length > 0 ? [`Directories that could not be read:\n${listed(unreadable)}`] : []),
  ];
  if (count === 0) {
    const text = [`No files to read match ${include.join(', ')}.`, ...notes].join('\n');
    return { llmContent: text, returnDisplay: text };
  }
  const heading = `Read ${parts.length === count ? files(count) : `${parts.length} of ${files(count)}`}.`;
  return {
    llmContent: joined([...parts.flatMap(headed), [heading, ...notes].join('\n')]),
    returnDisplay: [heading, ...notes].join('\n'),
  };
}

const headed = ({ shown, pieces }: ReadPart): Piece[] => [
  `--- ${onOneLine(shown)} ---\n`,
  ...pieces.map((piece) => (typeof piece === 'string' && !piece.endsWith('\n') ? `${piece}\n` : piece)),
];

/** One text, unless something between the texts is none. */
function joined(pieces: readonly Piece[]): ModelContent {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged.splice(-1, 1, `${last}${piece}`);
    else merged.push(piece);
  }
  const [first] = merged;
  return merged.length === 1 && first !== undefined ? first : merged;
}

function listed(lines: readonly string[], count = lines.length): string {
  const shown = lines.slice(0, NAMED_MAX).map((line) => `- ${onOneLine(line)}`);
  return [...shown, ...(count > shown.length ? [`- and ${count - shown.length} more`] : [])].join('\n');
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
