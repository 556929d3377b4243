import { onOneLine } from '@countersign/host';
import type { ToolResult } from '@countersign/protocol';
import { shownLine } from './found-line.js';
import type { FileMatches, Found } from './matches.js';
import type { Searched } from './search.js';

export type Described = {
  readonly pattern: string;
  /** How the searched place is named. */
  readonly shown: string;
  readonly include: string | null;
  readonly names: 'only' | 'with lines';
  readonly totalMax: number;
  readonly perFileMax: number;
  /** Files that were omitted because they usually hold secrets, from the searched directory. */
  readonly withheld: readonly string[];
  /** How a path from the searched directory is named. */
  readonly nameOf: (path: string) => string;
};

const PATTERN_CHARS_SHOWN_MAX = 100;
const UNREADABLE_SHOWN_MAX = 5;
const WITHHELD_SHOWN_MAX = 5;

export function describeMatches(found: Found, searched: Searched, about: Described): ToolResult {
  const remarks = [...limitsOf(found, about), ...omissionsOf(found, searched, about)];
  const remark = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
  const place = `${about.shown}${about.include === null ? '' : `, files ${inQuotes(about.include)}`}`;
  const wanted = `${inQuotes(about.pattern)} in ${place}`;
  if (found.files.length === 0) {
    const among = searched.files === null ? '' : `; ${files(searched.files)} searched`;
    const text = `No matches for ${wanted}${among}${remark}.`;
    return { llmContent: text, returnDisplay: text };
  }
  const heading = `${headline(found, about)} for ${wanted}${remark}:`;
  const body =
    about.names === 'only'
      ? found.files.map(({ path }) => onOneLine(about.nameOf(path)))
      : found.files.map((file) => describeFile(file, about));
  return {
    llmContent: [heading, ...body].join('\n'),
    returnDisplay: `${headline(found, about)}${remark}`,
  };
}

function headline({ allMatches, filesWithMatches, stopped }: Found, { names }: Described): string {
  const more = stopped ? 'More than ' : '';
  if (names === 'only') return `${more}${files(filesWithMatches)} with matches`;
  return `${more}${allMatches} ${allMatches === 1 ? 'match' : 'matches'} in ${files(filesWithMatches)}`;
}

function describeFile({ path, lines }: FileMatches, { nameOf }: Described): string {
  return [`\nFile: ${onOneLine(nameOf(path))}`, ...lines.map(shownLine)].join('\n');
}

function limitsOf({ shownMatches, allMatches, stopped, moreInFiles }: Found, about: Described): string[] {
  const limits: string[] = [];
  if (shownMatches < allMatches || stopped) {
    // Of a search that was stopped, others might come first.
    const shown = `only ${shownMatches} shown${stopped ? '' : ', in order of path'}`;
    const advice = shownMatches < about.totalMax ? 'more do not fit:' : 'raise total_max_matches, or';
    limits.push(
      `${shown}; ${advice} narrow the search with dir_path, include_pattern or a more exact pattern`,
    );
  }
  if (moreInFiles && about.names === 'with lines')
    limits.push(`at most ${about.perFileMax} of each file, some have more`);
  return limits;
}

function omissionsOf(
  { binaryFiles }: Found,
  { unreadable }: Searched,
  { nameOf, withheld }: Described,
): string[] {
  const omissions: string[] = [];
  if (withheld.length > 0) {
    const named = withheld.slice(0, WITHHELD_SHOWN_MAX).map((path) => onOneLine(nameOf(path)));
    const more = withheld.length > WITHHELD_SHOWN_MAX ? ', …' : '';
    omissions.push(
      `not searched, because they usually hold secrets: ${named.join(', ')}${more}; give one as dir_path to ask for it`,
    );
  }
  if (binaryFiles > 0) omissions.push(`${files(binaryFiles)} with matches skipped as binary`);
  if (unreadable.length > 0) {
    const named = unreadable.slice(0, UNREADABLE_SHOWN_MAX).map((path) => onOneLine(nameOf(path)));
    const more = unreadable.length > UNREADABLE_SHOWN_MAX ? ', …' : '';
    omissions.push(`${unreadable.length} could not be read: ${named.join(', ')}${more}`);
  }
  return omissions;
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

function inQuotes(text: string): string {
  const shown = text.length > PATTERN_CHARS_SHOWN_MAX ? `${text.slice(0, PATTERN_CHARS_SHOWN_MAX)}…` : text;
  return `"${shown}"`;
}
