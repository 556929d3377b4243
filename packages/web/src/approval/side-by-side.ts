import type { DiffRow } from '@countersign/display';

export type DiffPair = { readonly left: DiffRow | null; readonly right: DiffRow | null };

/** Beside each other: what was removed, and what came in its place. */
export function sideBySide(rows: readonly DiffRow[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const settle = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    removed = [];
    added = [];
  };
  for (const each of rows) {
    if (each.kind === 'removed') {
      if (added.length > 0) settle();
      removed.push(each);
    } else if (each.kind === 'added') added.push(each);
    else {
      settle();
      pairs.push({ left: each, right: each });
    }
  }
  settle();
  return pairs;
}
