/** Runs of bash that are spent on making one miss readable. */
const TRIALS_MAX = 600;

/** A shorter text with the same fault: parts are skipped, large ones first, as long as it is still there. */
export async function shrink(text: string, isFaulty: (text: string) => Promise<boolean>): Promise<string> {
  let shortest = text;
  let trials = 0;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < shortest.length && trials < TRIALS_MAX; trials += 1) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + size);
      if (await isFaulty(shorter)) shortest = shorter;
      else at += size;
    }
  }
  return shortest;
}
