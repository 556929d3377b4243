import type { DiffStat } from '@countersign/protocol';
import { type Change, lineChanges } from './line-changes.js';
import { splitLines } from './lines.js';

export type UnifiedDiff = { readonly text: string; readonly stat: DiffStat };

const CONTEXT_LINES = 3; // what every reader of diffs expects

/** The change from `before` (null: there is no file) to `after` as a unified diff; empty text if nothing differs. */
export function unifiedDiff(path: string, before: string | null, after: string): UnifiedDiff {
  const oldLines = splitLines(before ?? '');
  const newLines = splitLines(after);
  const changes = lineChanges(oldLines, newLines);
  const out: string[] = [];
  if (changes.length > 0 || before === null)
    out.push(`--- ${before === null ? '/dev/null' : named('a', path)}\n`, `+++ ${named('b', path)}\n`);
  for (const hunk of hunksOf(changes)) writeHunk(out, hunk, oldLines, newLines);
  return { text: out.join(''), stat: statOf(changes) };
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

function writeHunk(
  out: string[],
  hunk: readonly Change[],
  oldLines: readonly string[],
  newLines: readonly string[],
): void {
  const first = hunk[0];
  const last = hunk.at(-1);
  if (first === undefined || last === undefined) return;
  const lead = Math.min(CONTEXT_LINES, first.oldStart);
  const trail = Math.min(CONTEXT_LINES, oldLines.length - last.oldEnd);
  const oldFrom = first.oldStart - lead;
  const newFrom = first.newStart - lead;
  const oldCount = last.oldEnd + trail - oldFrom;
  const newCount = last.newEnd + trail - newFrom;
  out.push(`@@ -${rangeOf(oldFrom, oldCount)} +${rangeOf(newFrom, newCount)} @@\n`);
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
