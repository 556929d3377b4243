import type { ContentLine, LineRange } from './content-lines.js';

const NEAREST_MAX = 3; // more would be a listing
const NEAREST_RANKED_MAX = 100; // looked at more closely: the rest has less in common with the wanted text
const NEAREST_SHARE_MIN = 0.4; // of the wanted text's triples; what has less in common is no help

const TRIPLE_KINDS = 1 << 15; // two triples that share a number only make ranges look more alike than they are

/** For each range of as many lines as are wanted, the number of character triples it has in common with those. */
export function sharedTriples(lines: readonly ContentLine[], wanted: readonly ContentLine[]): number[] {
  const sought = new Int32Array(TRIPLE_KINDS);
  for (const { trimmed } of wanted) eachTriple(trimmed, (kind) => (sought[kind] = (sought[kind] ?? 0) + 1));
  const present = new Int32Array(TRIPLE_KINDS);
  const count = Math.min(wanted.length, lines.length);
  const result: number[] = [];
  let shared = 0;
  for (const [index, { trimmed }] of lines.entries()) {
    eachTriple(trimmed, (kind) => {
      const now = (present[kind] ?? 0) + 1;
      present[kind] = now;
      if (now <= (sought[kind] ?? 0)) shared += 1;
    });
    if (index + 1 < count) continue;
    result.push(shared);
    eachTriple(lines[index + 1 - count]?.trimmed ?? '', (kind) => {
      const was = present[kind] ?? 0;
      present[kind] = was - 1;
      if (was <= (sought[kind] ?? 0)) shared -= 1;
    });
  }
  return result;
}

function eachTriple(text: string, see: (kind: number) => void): void {
  for (let at = 2; at < text.length; at += 1) {
    const mixed = text.charCodeAt(at - 2) * 961 + text.charCodeAt(at - 1) * 31 + text.charCodeAt(at);
    see(mixed % TRIPLE_KINDS);
  }
}

export const countTriples = (lines: readonly ContentLine[]): number =>
  lines.reduce((sum, { trimmed }) => sum + Math.max(0, trimmed.length - 2), 0);

/** The most alike ranges, none of which overlap. */
export function nearestRanges(
  lines: readonly ContentLine[],
  wanted: readonly ContentLine[],
  shared: readonly number[],
): LineRange[] {
  const total = countTriples(wanted);
  const count = Math.min(wanted.length, lines.length);
  // The triples of a range that the wanted text lacks count against it, too: else every range around a match is as near.
  const likeness = (first: number, common: number) =>
    common / Math.max(total, countTriples(lines.slice(first, first + count)));
  const ranked = [...shared.entries()]
    .filter(([, common]) => common > 0 && common >= total * NEAREST_SHARE_MIN)
    .sort(([, one], [, other]) => other - one)
    .slice(0, NEAREST_RANKED_MAX)
    .map(([first, common]) => ({ first, likeness: likeness(first, common) }))
    .sort((one, other) => other.likeness - one.likeness || one.first - other.first);
  const nearest: LineRange[] = [];
  for (const { first } of ranked) {
    if (nearest.length === NEAREST_MAX) break;
    if (nearest.every((other) => Math.abs(other.first - first) >= count)) nearest.push({ first, count });
  }
  return nearest;
}
