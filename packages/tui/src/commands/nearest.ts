/** More slips than these are another word. */
const SLIPS_MAX = 2;
const SUGGESTED_MAX = 3;

/** The names that may have been meant by what was typed: those with the fewest slips, or those that begin like it. */
export function nearest(typed: string, names: readonly string[]): readonly string[] {
  const slips = names.map((name) => ({ name, count: slipsBetween(typed, name) }));
  const fewest = Math.min(SLIPS_MAX, ...slips.map(({ count }) => count));
  const near = slips.filter(({ count }) => count === fewest).map(({ name }) => name);
  const found = near.length > 0 ? near : names.filter((name) => name.startsWith(typed.slice(0, 3)));
  return found.slice(0, SUGGESTED_MAX);
}

/** Letters that were added, omitted, mistaken, or swapped with their neighbour. */
function slipsBetween(typed: string, name: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (let row = 0; row < typed.length; row++) {
    const letter = typed[row];
    const next = [row + 1];
    for (let at = 1; at <= name.length; at++) {
      const isSame = letter === name[at - 1];
      const isSwapped = at > 1 && row > 0 && letter === name[at - 2] && typed[row - 1] === name[at - 1];
      next.push(
        Math.min(
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[name.length] ?? 0;
}
