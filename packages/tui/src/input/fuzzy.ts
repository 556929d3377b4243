/** So many paths are looked at before others get a turn: a key pressed meanwhile is answered at once. */
const CHUNK = 5_000;

type Scored = { readonly path: string; readonly score: number };

/** The paths that fit best what was typed: its characters in order, rather together, rather in the name of the file. */
export async function bestMatches(
  paths: readonly string[],
  typed: string,
  countMax: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wanted = typed.toLowerCase();
  let best: Scored[] = [];
  for (let from = 0; from < paths.length; from += CHUNK) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return [];
    for (const path of paths.slice(from, from + CHUNK)) {
      const score = scoreOf(path, wanted);
      if (score !== null) best.push({ path, score });
    }
    best = best.sort(betterFirst).slice(0, countMax);
  }
  return best.map(({ path }) => path);
}

const betterFirst = (a: Scored, b: Scored): number =>
  b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1);

const WORD_START = 8;
const TOGETHER = 5;
const IN_NAME = 3;
const WHOLE = 40;

/** Null if it does not fit at all. */
function scoreOf(path: string, wanted: string): number | null {
  if (wanted === '') return 0;
  const text = path.toLowerCase();
  const name = text.lastIndexOf('/', text.length - 2) + 1;
  const whole = text.indexOf(wanted, name);
  if (whole >= 0) return WHOLE + wanted.length * (TOGETHER + IN_NAME) + (whole === name ? WHOLE : 0);
  let score = text.includes(wanted) ? WHOLE : 0;
  let at = text.length;
  // From the end: the name of a file matters more than its directory.
  for (let index = wanted.length - 1; index >= 0; index--) {
    const found = text.lastIndexOf(wanted.charAt(index), at - 1);
    if (found === -1 || at === 0) return null;
    if (found === at - 1 && index < wanted.length - 1) score += TOGETHER;
    if (found >= name) score += IN_NAME;
    if (found === 0 || '/._- '.includes(text.charAt(found - 1))) score += WORD_START;
    at = found;
  }
  return score;
}
