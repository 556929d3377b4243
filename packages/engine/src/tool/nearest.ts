/** How many names to offer: more would be a list to read, not a hint. */
const NAMES_MAX = 3;

/** Known names that may have been meant, closest first. */
export function nearest(name: string, known: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  // Beyond a third of its length a name is another word, not a misspelling.
  const distanceMax = Math.max(2, Math.floor(wanted.length / 3));
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const contained = wanted.length >= 3 && (other.includes(wanted) || wanted.includes(other));
    const distance = contained ? 1 : editDistance(wanted, other, distanceMax);
    if (distance <= distanceMax) scored.push({ name: candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, NAMES_MAX).map((entry) => entry.name);
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
}
