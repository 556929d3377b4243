import { distance } from 'fastest-levenshtein';
import { type ContentLine, type FoundRanges, type LineRange, spanOf } from './content-lines.js';
import { countTriples } from './likeness.js';

const DIFFERENT_SHARE_MAX = 0.1; // of the characters of the matched lines, other indentation left aside
const DIFFERENT_CONTENT_SHARE_MAX = 0.2; // the same without indentation: a deeply indented word is not any word
const COMPARED_CELLS_MAX = 150_000_000; // pairs of characters; about 100 ms, which all other calls wait for

/**
 * Every range of lines in which few characters differ from the wanted ones.
 * Lines are compared in pairs, so that no line is replaced that old_string does not contain;
 * blank ones do not count. `shared`: see `sharedTriples`.
 */
export function similarRanges(
  lines: readonly ContentLine[],
  wanted: readonly ContentLine[],
  shared: readonly number[],
): FoundRanges {
  const ranges: LineRange[] = [];
  if (wanted.length > lines.length) return { ranges, more: false };
  const total = countTriples(wanted);
  const allowedAt = differencesAllowed(lines, wanted.length);
  const budget = { cells: COMPARED_CELLS_MAX };
  for (const [first, common] of shared.entries()) {
    const allowed = allowedAt(first);
    // One changed character spoils at most three triples: what has fewer in common need not be compared.
    if (allowed === 0 || common < total - 3 * allowed) continue;
    const isSimilar = differAtMost(allowed, wanted, (index) => lines[first + index]?.trimmed ?? '', budget);
    if (budget.cells < 0) return { ranges, more: true };
    if (isSimilar) ranges.push({ first, count: wanted.length });
  }
  return { ranges, more: false };
}

function differAtMost(
  allowed: number,
  wanted: readonly ContentLine[],
  lineAt: (index: number) => string,
  budget: { cells: number },
): boolean {
  let left = allowed;
  for (const [index, { trimmed }] of wanted.entries()) {
    const line = lineAt(index);
    budget.cells -= trimmed.length;
    if (trimmed === line) continue;
    if (Math.abs(trimmed.length - line.length) > left) return false;
    budget.cells -= trimmed.length * line.length;
    if (budget.cells < 0) return false;
    left -= distance(trimmed, line);
    if (left < 0) return false;
  }
  return true;
}

/** How many characters may differ in the range of so many lines that begins with a certain one. */
function differencesAllowed(lines: readonly ContentLine[], count: number): (first: number) => number {
  const contentBefore = [0];
  for (const { trimmed } of lines) contentBefore.push((contentBefore.at(-1) ?? 0) + trimmed.length);
  return (first) => {
    const { start, end } = spanOf(lines, { first, count });
    const content = (contentBefore[first + count] ?? 0) - (contentBefore[first] ?? 0);
    return Math.floor(Math.min((end - start) * DIFFERENT_SHARE_MAX, content * DIFFERENT_CONTENT_SHARE_MAX));
  };
}
