import { type Line, textOf } from './visible-text.js';

/** A line of a unified diff, and where it stands in the file before and in the one after, as far as the diff says. */
export type DiffRow = {
  readonly kind: 'same' | 'added' | 'removed' | 'remark';
  readonly before: number | null;
  readonly after: number | null;
  /** Without its sign. */
  readonly line: Line;
  /** Of the remark that opens a hunk: the line of the file after with which it begins. */
  readonly begins?: number;
};

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff. Whatever is in it is a row; only the two lines with the names of the file are omitted. */
export function readDiff(lines: readonly Line[]): readonly DiffRow[] {
  let before: number | null = null;
  let after: number | null = null;
  return lines.slice(headerLength(lines)).map((line): DiffRow => {
    const text = textOf(line);
    const hunk = HUNK.exec(text);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      return { kind: 'remark', before: null, after: null, line, begins: after };
    }
    const kind = KINDS[text[0] ?? ''];
    if (kind === undefined) return { kind: 'remark', before: null, after: null, line };
    const row = {
      kind,
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
      line: withoutSign(line),
    };
    if (before !== null && kind !== 'added') before++;
    if (after !== null && kind !== 'removed') after++;
    return row;
  });
}

const KINDS: { readonly [sign: string]: 'same' | 'added' | 'removed' } = {
  ' ': 'same',
  '+': 'added',
  '-': 'removed',
};

function headerLength(lines: readonly Line[]): number {
  const [first = '', second = '', third = ''] = lines.slice(0, 3).map(textOf);
  return first.startsWith('--- ') && second.startsWith('+++ ') && HUNK.test(third) ? 2 : 0;
}

const withoutSign = ([first, ...rest]: Line): Line =>
  first ? [{ ...first, text: first.text.slice(1) }, ...rest] : [];
