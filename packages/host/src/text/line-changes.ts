import { diff_core } from 'fast-myers-diff';

/** Lines `oldStart` up to `oldEnd` (exclusive) give way to lines `newStart` up to `newEnd`. */
export type Change = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
};

// About 25 ms. Texts that share lines in quite another order need the square of their length: not worth waiting for.
const COMPARISONS_MAX = 1_000_000;
/** Lines of both sides between the ends that are the same. Comparing more would block other calls. */
export const COMPARED_LINES_MAX = 40_000;

/**
 * What to change in `before` to get `after`, in order. Always correct; the
 * smallest such change unless that takes too long to find, in which case
 * everything between the first and the last difference is one change.
 *
 * The search compares numbers, between the ends that differ, and only lines
 * that occur on both sides: the others are changes whatever the search finds.
 */
export function lineChanges(before: readonly string[], after: readonly string[]): Change[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const middle: Change = {
    oldStart: start,
    oldEnd: before.length - end,
    newStart: start,
    newEnd: after.length - end,
  };
  const compared = middle.oldEnd - middle.oldStart + middle.newEnd - middle.newStart;
  if (compared === 0) return [];
  if (compared > COMPARED_LINES_MAX) return [middle];
  const kept = keptLines(before, after, middle);
  return kept === null ? [middle] : changesAround(kept, middle);
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  const max = Math.min(before.length, after.length);
  let count = 0;
  while (count < max && before[count] === after[count]) count += 1;
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[], start: number): number {
  const max = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < max && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}

/** Which lines of either side stay; the n-th kept old line is the n-th kept new line. */
type Kept = { readonly old: ReadonlySet<number>; readonly new: ReadonlySet<number> };

function keptLines(before: readonly string[], after: readonly string[], middle: Change): Kept | null {
  const shared = sharedLines(before, after, middle);
  const kept = { old: new Set<number>(), new: new Set<number>() };
  const keep = (oldFrom: number, oldTo: number, newFrom: number) => {
    for (let step = 0; step < oldTo - oldFrom; step += 1) {
      kept.old.add(shared.old.indexes[oldFrom + step] ?? -1);
      kept.new.add(shared.new.indexes[newFrom + step] ?? -1);
    }
  };
  let oldAt = 0;
  let newAt = 0;
  try {
    for (const [oldFrom, oldTo, , newTo] of search(shared.old.ids, shared.new.ids)) {
      keep(oldAt, oldFrom, newAt);
      oldAt = oldTo;
      newAt = newTo;
    }
  } catch (error) {
    if (error instanceof BudgetSpent) return null;
    throw error;
  }
  keep(oldAt, shared.old.ids.length, newAt);
  return kept;
}

type Side = { readonly ids: readonly number[]; readonly indexes: readonly number[] };

function sharedLines(before: readonly string[], after: readonly string[], middle: Change) {
  const oldIds = new Map<string, number>();
  for (let at = middle.oldStart; at < middle.oldEnd; at += 1) {
    const line = before[at] ?? '';
    if (!oldIds.has(line)) oldIds.set(line, oldIds.size);
  }
  const inBoth = new Set<number>();
  const newSide = side(after, middle.newStart, middle.newEnd, (line) => oldIds.get(line));
  for (const id of newSide.ids) inBoth.add(id);
  const oldSide = side(before, middle.oldStart, middle.oldEnd, (line) => {
    const id = oldIds.get(line);
    return id !== undefined && inBoth.has(id) ? id : undefined;
  });
  return { old: oldSide, new: newSide };
}

function side(
  lines: readonly string[],
  from: number,
  to: number,
  idOf: (line: string) => number | undefined,
): Side {
  const ids: number[] = [];
  const indexes: number[] = [];
  for (let at = from; at < to; at += 1) {
    const id = idOf(lines[at] ?? '');
    if (id === undefined) continue;
    ids.push(id);
    indexes.push(at);
  }
  return { ids, indexes };
}

class BudgetSpent extends Error {}

function search(oldIds: readonly number[], newIds: readonly number[]) {
  let comparisons = 0;
  return diff_core(0, oldIds.length, 0, newIds.length, (oldAt, newAt) => {
    comparisons += 1;
    // The search can only be left by throwing through it.
    if (comparisons > COMPARISONS_MAX) throw new BudgetSpent();
    return oldIds[oldAt] === newIds[newAt];
  });
}

function changesAround(kept: Kept, middle: Change): Change[] {
  const changes: Change[] = [];
  let oldAt = middle.oldStart;
  let newAt = middle.newStart;
  while (oldAt < middle.oldEnd || newAt < middle.newEnd) {
    const oldStart = oldAt;
    const newStart = newAt;
    while (oldAt < middle.oldEnd && !kept.old.has(oldAt)) oldAt += 1;
    while (newAt < middle.newEnd && !kept.new.has(newAt)) newAt += 1;
    if (oldAt > oldStart || newAt > newStart) {
      changes.push({ oldStart, oldEnd: oldAt, newStart, newEnd: newAt });
      continue;
    }
    oldAt += 1;
    newAt += 1;
  }
  return changes;
}
