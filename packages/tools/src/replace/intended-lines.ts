import { lineChanges } from '@countersign/host';
import { isBlank } from './content-lines.js';
import { type IndentPair, indentOf, leastBlanks, toFileIndent } from './indentation.js';
import type { Part } from './lf-view.js';

const NEARBY_LINES = 20; // that are asked first how a new line is to be indented

export type TextChange = { readonly oldText: string; readonly newText: string };

export type MatchedLines = {
  readonly start: number;
  readonly end: number;
  /** Whether the lines with content on them correspond one by one to those of the old text. */
  readonly inPairs: boolean;
};

/**
 * What a change means for lines that are not word for word those it names. The
 * change is the difference between its old and its new text: lines that are in
 * both stay as the file has them, and the new ones are indented like the file.
 */
export function intendedPart(text: string, { start, end, inPairs }: MatchedLines, change: TextChange): Part {
  const { oldLines, newLines, hadBreak } = withoutOuterBlanks(change);
  if (newLines.length === 0) return { ...withOneBreak(text, start, end, hadBreak), text: '' };
  const fileLines = text.slice(start, end).split('\n');
  const result = inPairs
    ? changedLines(oldLines, newLines, pairedLines(oldLines, fileLines))
    : indentedLike(fileLines, oldLines, newLines);
  return { start, end, text: result.join('\n') };
}

/** Blank lines at either end are only where a text was cut: the line break there is none of the change's business. */
function withoutOuterBlanks({ oldText, newText }: TextChange) {
  const oldLines = oldText.split('\n');
  const newLines = newText.split('\n');
  const outer = outerBlanks(oldLines);
  const inNew = outerBlanks(newLines);
  const lead = Math.min(outer.lead, inNew.lead);
  // Of nothing but blank lines, none is left to count from the other end.
  const trail = Math.min(outer.trail, inNew.trail, newLines.length - lead);
  return {
    oldLines: oldLines.slice(outer.lead, oldLines.length - outer.trail),
    newLines: newLines.slice(lead, newLines.length - trail),
    hadBreak: outer.lead + outer.trail > 0,
  };
}

function outerBlanks(lines: readonly string[]): { readonly lead: number; readonly trail: number } {
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  return first === -1
    ? { lead: lines.length, trail: lines.length }
    : { lead: first, trail: lines.length - 1 - last };
}

/** Lines that go altogether take a line break with them. */
function withOneBreak(text: string, start: number, end: number, hadBreak: boolean) {
  if (hadBreak && text[end] === '\n') return { start, end: end + 1 };
  return hadBreak && start > 0 ? { start: start - 1, end } : { start, end };
}

/** For each old line the lines of the file that it stands for: one, and blank ones that it did not mention. */
function pairedLines(oldLines: readonly string[], fileLines: readonly string[]): string[][] {
  const pairs: string[][] = [];
  let at = 0;
  const isNextBlank = () => at < fileLines.length && isBlank(fileLines[at] ?? '');
  const next = () => fileLines.slice(at, ++at);
  for (const oldLine of oldLines) {
    if (isBlank(oldLine)) {
      pairs.push(isNextBlank() ? next() : []);
      continue;
    }
    while (isNextBlank()) pairs.at(-1)?.push(...next());
    pairs.push(next());
  }
  return pairs;
}

function changedLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  kept: readonly (readonly string[])[],
): string[] {
  const pairs = oldLines.flatMap((line, index): (IndentPair & { readonly index: number })[] => {
    const inFile = kept[index]?.[0];
    if (isBlank(line) || inFile === undefined) return [];
    return [{ index, sent: indentOf(line), inFile: indentOf(inFile) }];
  });
  const anywhere = [...new Map(pairs.toReversed().map((pair) => [pair.sent, pair])).values()];
  const least = leastBlanks([...oldLines, ...newLines]);
  const result: (readonly string[])[] = [];
  let copied = 0;
  let passed = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of lineChanges(oldLines, newLines)) {
    while ((pairs[passed]?.index ?? oldStart) < oldStart) passed += 1;
    const before = pairs.slice(Math.max(0, passed - NEARBY_LINES), passed).reverse();
    const after = pairs.slice(passed, passed + NEARBY_LINES);
    const [inside, beyond] = [
      after.filter(({ index }) => index < oldEnd),
      after.filter(({ index }) => index >= oldEnd),
    ];
    const indented = indentedBy(toFileIndent([...inside, ...before, ...beyond, ...anywhere], least));
    result.push(kept.slice(copied, oldStart).flat(), newLines.slice(newStart, newEnd).map(indented));
    copied = oldEnd;
  }
  return [...result, kept.slice(copied).flat()].flat();
}

/** Lines that are broken elsewhere can't be distinguished: all of them are replaced, from the indentation of the first. */
function indentedLike(
  fileLines: readonly string[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string[] {
  const pair = { sent: indentOf(oldLines[0] ?? ''), inFile: indentOf(fileLines[0] ?? '') };
  return newLines.map(indentedBy(toFileIndent([pair], leastBlanks([...oldLines, ...newLines]))));
}

const indentedBy = (translate: (indent: string) => string) => (line: string) => {
  const indent = indentOf(line);
  return isBlank(line) ? '' : translate(indent) + line.slice(indent.length);
};
