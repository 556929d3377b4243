/** How much of each text fits, if all together may have `total`: what the short ones leave is for the long ones. */
export function fairShares(lengths: readonly number[], total: number): number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths
    .map((length, index) => ({ length, index }))
    .sort((a, b) => a.length - b.length);
  let left = total;
  for (const [done, { length, index }] of shortestFirst.entries()) {
    const share = Math.min(length, Math.floor(left / (lengths.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
