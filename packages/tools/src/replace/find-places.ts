import { type ContentLine, contentLines, type LineRange, spanOf } from './content-lines.js';
import { flexibleMatches, saysTheSame } from './flexible-match.js';
import { intendedPart, type TextChange } from './intended-lines.js';
import type { Part } from './lf-view.js';
import { nearestRanges, sharedTriples } from './likeness.js';
import { occurrences, type Span } from './occurrences.js';
import { similarRanges } from './similar-lines.js';

/** Where a text is to be replaced, or where it might have been meant. All texts have `\n`. */
export type Search =
  | {
      readonly match: 'exact' | 'flexible' | 'fuzzy';
      readonly places: readonly Place[];
      /** Whether there may be more of them. */
      readonly more: boolean;
      /** Lines of the first place that were taken for others. */
      readonly differing: readonly Differing[];
    }
  | {
      readonly match: 'none';
      readonly searched: 'exact' | 'exact and similar';
      readonly nearest: readonly Span[];
    };

/** `replaced`: what becomes of it, worked out once it is clear that this place is meant. */
export type Place = Span & { readonly replaced: () => Part };

export type Differing = { readonly line: number; readonly inFile: string; readonly sent: string };

// Both texts together. What is not exact needs several passes over them, which all other calls wait for (about 100 ms).
const LENIENT_CHARS_MAX = 2_000_000;

/** Exactly as sent, else with other white space, else with a few other characters: the first of these that fits anywhere. */
export function findPlaces(text: string, change: TextChange): Search {
  const exact = occurrences(text, change.oldText);
  if (exact.spans.length > 0) {
    const places = exact.spans.map((span) => ({
      ...span,
      replaced: () => ({ ...span, text: change.newText }),
    }));
    return { match: 'exact', places, more: exact.more, differing: [] };
  }
  if (text.length + change.oldText.length > LENIENT_CHARS_MAX)
    return { match: 'none', searched: 'exact', nearest: [] };

  const lines = contentLines(text);
  const wanted = contentLines(change.oldText);
  if (wanted.length === 0) return { match: 'none', searched: 'exact and similar', nearest: [] };
  const flexible = flexibleMatches(lines, wanted);
  if (flexible.ranges.length > 0) {
    const places = flexible.ranges.map((range) => ({
      ...spanOf(lines, range),
      replaced: () =>
        intendedPart(text, { ...spanOf(lines, range), inPairs: isInPairs(lines, wanted, range) }, change),
    }));
    return { match: 'flexible', places, more: flexible.more, differing: [] };
  }

  const shared = sharedTriples(lines, wanted);
  const similar = similarRanges(lines, wanted, shared);
  const [first] = similar.ranges;
  // Where the search was given up there may be another: then none of them is sure to be the one.
  if (first === undefined || similar.more)
    return {
      match: 'none',
      searched: similar.more ? 'exact' : 'exact and similar',
      nearest: nearestRanges(lines, wanted, shared).map((range) => spanOf(lines, range)),
    };
  const places = similar.ranges.map((range) => ({
    ...spanOf(lines, range),
    replaced: () => intendedPart(text, { ...spanOf(lines, range), inPairs: true }, change),
  }));
  return { match: 'fuzzy', places, more: false, differing: differingLines(lines, wanted, first) };
}

const isInPairs = (
  lines: readonly ContentLine[],
  wanted: readonly ContentLine[],
  { first, count }: LineRange,
): boolean =>
  count === wanted.length &&
  wanted.every(({ trimmed }, index) => saysTheSame(trimmed, lines[first + index]?.trimmed ?? ''));

const differingLines = (
  lines: readonly ContentLine[],
  wanted: readonly ContentLine[],
  { first }: LineRange,
): Differing[] =>
  wanted.flatMap(({ trimmed: sent }, index) => {
    const line = lines[first + index];
    return line && line.trimmed !== sent ? [{ line: line.number, inFile: line.trimmed, sent }] : [];
  });
