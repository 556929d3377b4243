import { type Line, textOf } from '@countersign/kernel';

/** A line of a unified diff with where it stands in the file. */
export type DiffLine =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      /** In the file before for what is removed, else in the one after; null where the diff does not say. */
      readonly number: number | null;
      /** Without its sign. */
      readonly line: Line;
    }
  /** So many lines are as they were and not part of the diff. */
  | { readonly kind: 'skipped'; readonly count: number }
  /** What a diff says of itself. */
  | { readonly kind: 'remark'; readonly line: Line };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Everything in the lines of a unified diff is shown in some way; only the names of its files are told elsewhere. */
export function readDiff(lines: readonly Line[]): readonly DiffLine[] {
  const read: DiffLine[] = [];
  let old: number | null = null;
  let now: number | null = null;
  for (const line of lines.slice(headerLength(lines))) {
    const text = textOf(line);
    const hunk = HUNK.exec(text);
    if (hunk) {
      const [, oldStart = '1', , nowStart = '1'] = hunk;
      const skipped: number = Number(nowStart) - (now ?? 1);
      if (skipped > 0) read.push({ kind: 'skipped', count: skipped });
      old = Number(oldStart);
      now = Number(nowStart);
    } else if (text.startsWith('+')) read.push({ kind: 'added', number: now, line: withoutSign(line) });
    else if (text.startsWith('-')) read.push({ kind: 'removed', number: old, line: withoutSign(line) });
    else if (text.startsWith(' ')) read.push({ kind: 'same', number: now, line: withoutSign(line) });
    else read.push({ kind: 'remark', line });
    if (hunk) continue;
    const { kind } = read.at(-1) ?? {};
    if (old !== null && (kind === 'same' || kind === 'removed')) old++;
    if (now !== null && (kind === 'same' || kind === 'added')) now++;
  }
  return read;
}

function headerLength(lines: readonly Line[]): number {
  const [first = '', second = '', third = ''] = lines.slice(0, 3).map(textOf);
  return first.startsWith('--- ') && second.startsWith('+++ ') && HUNK.test(third) ? 2 : 0;
}

function withoutSign([first, ...rest]: Line): Line {
  return first ? [{ ...first, text: first.text.slice(1) }, ...rest] : [];
}
