import { type Line, textOf } from '@countersign/kernel';

export type DiffRow = {
  readonly kind: 'same' | 'added' | 'removed' | 'remark';
  /** Where it stands in the file before, and in the one after. */
  readonly before: number | null;
  readonly after: number | null;
  /** Without its sign. */
  readonly line: Line;
};
export type DiffPair = { readonly left: DiffRow | null; readonly right: DiffRow | null };

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff. Whatever is in it is a row; only the two lines with the names of the file are left out. */
export function readDiff(lines: readonly Line[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let before = 1;
  let after = 1;
  for (const line of lines.slice(headerLength(lines))) {
    const text = textOf(line);
    const hunk = HUNK.exec(text);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      rows.push({ kind: 'remark', before: null, after: null, line });
    } else if (text.startsWith('+')) rows.push(row('added', null, after++, line));
    else if (text.startsWith('-')) rows.push(row('removed', before++, null, line));
    else if (text.startsWith(' ')) rows.push(row('same', before++, after++, line));
    else rows.push({ kind: 'remark', before: null, after: null, line });
  }
  return rows;
}

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

function headerLength(lines: readonly Line[]): number {
  const [first = '', second = '', third = ''] = lines.slice(0, 3).map(textOf);
  return first.startsWith('--- ') && second.startsWith('+++ ') && HUNK.test(third) ? 2 : 0;
}

const row = (kind: DiffRow['kind'], before: number | null, after: number | null, line: Line): DiffRow => ({
  kind,
  before,
  after,
  line: withoutSign(line),
});

const withoutSign = ([first, ...rest]: Line): Line =>
  first ? [{ ...first, text: first.text.slice(1) }, ...rest] : [];
