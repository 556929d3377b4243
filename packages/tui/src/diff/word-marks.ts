/** Parts of two lines that differ, counted in UTF-16. */
export type Marks = { readonly removed: readonly Span[]; readonly added: readonly Span[] };
type Span = { readonly from: number; readonly to: number };

/** Lines of more words are not compared: the work grows with the product of both. */
const WORDS_MAX = 200;
/** Lines that share less have nothing to do with each other, and marks would only be noise. */
const SHARED_MIN = 0.3;

const NO_MARKS: Marks = { removed: [], added: [] };

/** Which words of a line became which in the line that replaces it. */
export function wordMarks(before: string, after: string): Marks {
  const old = wordsOf(before);
  const now = wordsOf(after);
  if (old.length > WORDS_MAX || now.length > WORDS_MAX) return NO_MARKS;
  const { keptOld, keptNow } = commonWords(old, now);
  const shared = old.reduce((sum, word, at) => sum + (keptOld.has(at) ? word.trim().length : 0), 0);
  const longest = Math.max(before.trim().length, after.trim().length);
  if (longest === 0 || shared / longest < SHARED_MIN) return NO_MARKS;
  return { removed: spansOf(old, keptOld), added: spansOf(now, keptNow) };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

/** The longest row of words that both have, in order. */
function commonWords(old: readonly string[], now: readonly string[]) {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    const lengthsHere = lengths[i];
    if (!lengthsHere) continue;
    for (let j = now.length - 1; j >= 0; j--)
      lengthsHere[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const keptOld = new Set<number>();
  const keptNow = new Set<number>();
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      keptOld.add(i++);
      keptNow.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return { keptOld, keptNow };
}

function spansOf(words: readonly string[], kept: ReadonlySet<number>): readonly Span[] {
  const spans: { from: number; to: number }[] = [];
  let from = 0;
  for (const [index, word] of words.entries()) {
    const to = from + word.length;
    const last = spans.at(-1);
    if (!kept.has(index)) {
      if (last?.to === from) last.to = to;
      else spans.push({ from, to });
    }
    from = to;
  }
  return spans;
}
