import { onOneLine } from '@countersign/host';
import type { ToolResult } from '@countersign/protocol';
import { ENTRIES_READ_MAX, type Entries, type Entry } from './read-entries.js';

export const ENTRIES_SHOWN_MAX = 1_000; // a longer listing is better searched than read

export function describeListing({ entries, hidden, complete }: Entries, shown: string): ToolResult {
  const lines = [...entries].sort(directoriesFirst).slice(0, ENTRIES_SHOWN_MAX).map(lineOf);
  const left = entries.length - lines.length;
  const notes = [
    ...(left > 0 ? [`${left} more not shown; exclude some with "ignore", or list a subdirectory`] : []),
    ...(hidden > 0 ? [`${hidden} excluded by ignore patterns`] : []),
    ...(complete ? [] : [`only ${ENTRIES_READ_MAX} names were read, there are more`]),
  ];
  const remark = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const heading =
    lines.length === 0 ? `${shown} is empty${remark}.` : `${inWords(lines.length)} in ${shown}${remark}:`;
  return {
    llmContent: [heading, ...lines].join('\n'),
    returnDisplay: `Listed ${inWords(lines.length)} in ${shown}${remark}`,
  };
}

const inWords = (count: number): string => (count === 1 ? '1 name' : `${count} names`);

/** By code units, so that the order is the same on every machine. */
function directoriesFirst(a: Entry, b: Entry): number {
  if ((a.type === 'directory') !== (b.type === 'directory')) return a.type === 'directory' ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function lineOf(entry: Entry): string {
  switch (entry.type) {
    case 'directory':
      return `[DIR] ${onOneLine(entry.name)}`;
    case 'file':
      return onOneLine(entry.name);
    case 'symlink':
      return `[LINK] ${onOneLine(entry.name)} -> ${onOneLine(entry.target)}`;
    case 'special':
      return `[SPECIAL: ${entry.what}] ${onOneLine(entry.name)}`;
  }
}
