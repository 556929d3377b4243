import type { DiffStat } from '@countersign/protocol';
import { type Change, lineChanges } from './line-changes.js';
import { countLines, splitLines } from './lines.js';

export type UnifiedDiff = { readonly text: string; readonly stat: DiffStat };

const CONTEXT_LINES = 3; // what every reader of diffs expects

/** The change from `before` (null: there is no file) to `after` as a unified diff; empty text if nothing differs. */
export function unifiedDiff(path: string, before: string | null, after: string): UnifiedDiff {
  const { start, end } = sameEnds(before ?? '', after);
  const oldLines = splitLines((before ?? '').slice(start, (before ?? '').length - end));
  const newLines = splitLines(after.slice(start, after.length - end));
  const skipped = countLines(after.slice(0, start));
  const changes = lineChanges(oldLines, newLines);
  const out: string[] = [];
  if (changes.length > 0 || before === null)
    out.push(`--- ${before === null ? '/dev/null' : named('a', path)}\n`, `+++ ${named('b', path)}\n`);
  for (const hunk of hunksOf(changes)) writeHunk(out, hunk, { oldLines, newLines, skipped });
  return { text: out.join(''), stat: statOf(changes) };
}

/** Lengths of what is the same at both ends, in whole lines, less the lines around a change: it need not be split up. */
function sameEnds(before: string, after: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, after.length);
  const same = commonLength(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const sameAtEnd = commonLength(
    shorter - same,
    (from, to) => before.slice(-to, -from || undefined) === after.slice(-to, -from || undefined),
  );
  let start = same;
  let tail = after.length - sameAtEnd;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    start = start === 0 ? 0 : after.lastIndexOf('\n', start - 1);
    if (start === -1) start = 0;
    const next = after.indexOf('\n', tail);
    tail = next === -1 ? after.length : next + 1;
  }
  return { start: start === 0 ? 0 : start + 1, end: after.length - tail };
}

const BLOCK_CHARS = 4_096; // compared at once; two equal texts are mostly equal for long

/** How much is the same, up to a limit, given a test of whether a stretch is. */
function commonLength(limit: number, isSame: (from: number, to: number) => boolean): number {
  let length = 0;
  for (let step = BLOCK_CHARS; step >= 1; step = Math.floor(step / 2))
    while (length + step <= limit && isSame(length, length + step)) length += step;
  return length;
}

/** Names from the workspace get the customary prefix; an absolute path stands as it is. A name can't add lines. */
function named(prefix: 'a' | 'b', path: string): string {
  const name = path.startsWith('/') ? path : `${prefix}/${path}`;
  return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name;
}

function statOf(changes: readonly Change[]): DiffStat {
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    added += change.newEnd - change.newStart;
    removed += change.oldEnd - change.oldStart;
  }
  return { added, removed };
}

/** Changes whose context would touch or overlap belong together. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && change.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

type Compared = {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** How many lines were left out before these. */
  readonly skipped: number;
};

function writeHunk(out: string[], hunk: readonly Change[], { oldLines, newLines, skipped }: Compared): void {
  const first = hunk[0];
  const last = hunk.at(-1);
  if (first === undefined || last === undefined) return;
  const lead = Math.min(CONTEXT_LINES, first.oldStart);
  const trail = Math.min(CONTEXT_LINES, oldLines.length - last.oldEnd);
  const oldFrom = first.oldStart - lead;
  const newFrom = first.newStart - lead;
  const oldCount = last.oldEnd + trail - oldFrom;
  const newCount = last.newEnd + trail - newFrom;
  out.push(`@@ -${rangeOf(skipped + oldFrom, oldCount)} +${rangeOf(skipped + newFrom, newCount)} @@\n`);
  let at = oldFrom;
  for (const change of hunk) {
    writeLines(out, ' ', oldLines, at, change.oldStart);
    writeLines(out, '-', oldLines, change.oldStart, change.oldEnd);
    writeLines(out, '+', newLines, change.newStart, change.newEnd);
    at = change.oldEnd;
  }
  writeLines(out, ' ', oldLines, at, last.oldEnd + trail);
}

/** An empty range is named by the line before it. */
function rangeOf(from: number, count: number): string {
  if (count === 1) return `${from + 1}`;
  return count === 0 ? `${from},0` : `${from + 1},${count}`;
}

function writeLines(
  out: string[],
  mark: ' ' | '-' | '+',
  lines: readonly string[],
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? '';
    out.push(mark, line);
    if (!line.endsWith('\n')) out.push('\n\\ No newline at end of file\n');
  }
}
