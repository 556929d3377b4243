import type { DiffStat } from '@countersign/protocol';
import { type Change, COMPARED_LINES_MAX, lineChanges } from './line-changes.js';
import { countLines, splitLines } from './lines.js';

/** `omitted` says what the text omits, if anything. */
export type UnifiedDiff = {
  readonly text: string;
  readonly stat: DiffStat;
  readonly omitted?: string;
};

const CONTEXT_LINES = 3; // what every reader of diffs expects

/** The change from `before` (null: there is no file) to `after` as a unified diff; empty text if nothing differs. */
export function unifiedDiff(path: string, before: string | null, after: string): UnifiedDiff {
  const { start, end } = sameEnds(before ?? '', after);
  const oldText = (before ?? '').slice(start, (before ?? '').length - end);
  const newText = after.slice(start, after.length - end);
  const header = [
    `--- ${before === null ? '/dev/null' : named('a', path)}\n`,
    `+++ ${named('b', path)}\n`,
  ].join('');
  if (isTooLarge(oldText, newText))
    return beginningOf(header, oldText, newText, countLines(after.slice(0, start)) + 1);
  const oldLines = splitLines(oldText);
  const newLines = splitLines(newText);
  const skipped = countLines(after.slice(0, start));
  const changes = lineChanges(oldLines, newLines);
  const out: string[] = [];
  if (changes.length > 0 || before === null) out.push(header);
  for (const hunk of hunksOf(changes)) writeHunk(out, hunk, { oldLines, newLines, skipped });
  return { text: out.join(''), stat: statOf(changes) };
}

/** A larger diff is unreadable, so it is not computed, stored and drawn line by line. */
const SHOWN_CHARS_MAX = 4_000_000;
/** Of what is too large this much of either side is shown. */
const BEGINNING_LINES = 200;
const BEGINNING_CHARS = 40_000;

const isTooLarge = (oldText: string, newText: string): boolean =>
  oldText.length + newText.length > SHOWN_CHARS_MAX ||
  countLines(oldText) + countLines(newText) > COMPARED_LINES_MAX;

/** Everything that differs as one replacement, of which the beginning is shown and the rest counted. */
function beginningOf(header: string, oldText: string, newText: string, line: number): UnifiedDiff {
  const stat = { added: countLines(newText), removed: countLines(oldText) };
  const old = splitLines(firstLines(oldText));
  const added = splitLines(firstLines(newText));
  const omitted =
    `The change is too large to show line by line: ${stat.removed} lines are replaced by ${stat.added}. ` +
    `Here are the first ${old.length} and ${added.length} of them.`;
  const out = [
    header,
    `@@ -${rangeOf(line - 1, old.length)} +${rangeOf(line - 1, added.length)} @@ ${omitted}\n`,
  ];
  writeLines(out, '-', old, 0, old.length);
  writeLines(out, '+', added, 0, added.length);
  return { text: out.join(''), stat, omitted };
}

function firstLines(text: string): string {
  const beginning = text.slice(0, BEGINNING_CHARS);
  let end = -1;
  for (let line = 0; line < BEGINNING_LINES; line++) {
    const next = beginning.indexOf('\n', end + 1);
    if (next === -1) break;
    end = next;
  }
  // A line may be longer than all that is shown.
  return end === -1 ? `${beginning}…\n` : beginning.slice(0, end + 1);
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
  /** How many lines were omitted before these. */
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
