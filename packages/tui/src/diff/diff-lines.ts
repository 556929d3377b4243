import { type Line, readDiff } from '@countersign/display';

/** A line of a unified diff with its number in the file. */
export type DiffLine =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      /** In the file before for what is removed, else in the one after; null where the diff has no number. */
      readonly number: number | null;
      /** Without its sign. */
      readonly line: Line;
    }
  /** So many lines are as they were and not part of the diff. */
  | { readonly kind: 'skipped'; readonly count: number }
  /** A remark of the diff format itself. */
  | { readonly kind: 'remark'; readonly line: Line };

/** Rows with the numbers that a card has room for; between hunks is the number of omitted lines. */
export function diffLines(lines: readonly Line[]): readonly DiffLine[] {
  let next = 1;
  return readDiff(lines).flatMap(({ kind, before, after, line, begins }): DiffLine[] => {
    if (begins !== undefined) {
      const count = begins - next;
      next = begins;
      return count > 0 ? [{ kind: 'skipped', count }] : [];
    }
    if (kind === 'remark') return [{ kind, line }];
    if (after !== null) next = after + 1;
    return [{ kind, number: kind === 'removed' ? before : after, line }];
  });
}
