/** How many of these numbers, which go up, are less than a limit. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a number is among these; -1 if it is not. */
export function placeIn(sorted: readonly number[], wanted: number): number {
  const at = countBelow(sorted, wanted);
  return sorted[at] === wanted ? at : -1;
}
