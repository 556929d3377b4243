import type { ContentLine, FoundRanges, LineRange } from './content-lines.js';
import { occurrences } from './occurrences.js';
import { placeIn } from './sorted.js';

/**
 * Whole lines that equal the wanted ones when white space does not
 * count: other indentation, blank lines, blanks between words and signs, lines
 * broken elsewhere. Only between two words does a blank count, so that
 * `nowhere` is not `now here`.
 */
export function flexibleMatches(lines: readonly ContentLine[], wanted: readonly ContentLine[]): FoundRanges {
  const text = squeeze(lines);
  const sought = squeeze(wanted).text;
  const { spans, more } = occurrences(text.text, sought);
  const ranges = spans.flatMap(({ start, end }): LineRange[] => {
    const [first, last] = [placeIn(text.starts, start), placeIn(text.ends, end)];
    return first === -1 || last === -1 ? [] : [{ first, count: last - first + 1 }];
  });
  return { ranges, more };
}

/** Whether two lines are equal apart from white space. */
export const saysTheSame = (one: string, other: string): boolean =>
  one === other || squeezeLine(one) === squeezeLine(other);

/** `starts` and `ends`: where each line begins and ends in the text. */
type Squeezed = {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

function squeeze(lines: readonly ContentLine[]): Squeezed {
  const starts: number[] = [];
  const ends: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let last = '';
  for (const { trimmed } of lines) {
    const line = squeezeLine(trimmed);
    if (isWord(last) && isWord(line[0])) {
      parts.push(' ');
      length += 1;
    }
    starts.push(length);
    length += line.length;
    ends.push(length);
    parts.push(line);
    last = line.at(-1) ?? '';
  }
  return { text: parts.join(''), starts, ends };
}

const squeezeLine = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s+/gu, (blanks: string, at: number, whole: string) =>
      isWord(whole[at - 1]) && isWord(whole[at + blanks.length]) ? ' ' : '',
    );

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
