import { type DecodedText, formatRemarks, splitLines } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import type { RewrittenText } from '../edit/file-edit.js';
import { codeRanges, isWithin } from '../memory/code-ranges.js';

const HEADING = '## Countersign Added Memories';

/** A memory file with one more fact in its section, which is made at the end if there is none. Nothing else changes. */
export function addFact(present: DecodedText | null, fact: string, shown: string): RewrittenText {
  const { encoding = 'utf-8', bom = false, lineEnding = '\n' } = present ?? {};
  const lineBreak = lineEnding === '\r\n' ? '\r\n' : '\n';
  const bullet = `- ${fact}`;
  const lines = splitLines(present?.text ?? '');
  const section = sectionIn(lines);
  if (section && lines.slice(section.first, section.end).some((line) => line.trim() === bullet))
    throw new ToolFailure({ code: 'edit_no_change', path: shown, reason: 'it is already there' });

  const { before, added, after } = section
    ? { before: lines.slice(0, section.end), added: [bullet], after: lines.slice(section.end) }
    : { before: lines, added: [...(lines.length === 0 ? [] : ['']), HEADING, '', bullet], after: [] };
  const ended = before.length === 0 || before.at(-1)?.endsWith('\n') ? before : [...before, lineBreak];
  return {
    text: [...ended, ...added.map((line) => `${line}${lineBreak}`), ...after].join(''),
    encoding,
    bom,
    line: countBreaks(ended) + added.length,
    done: `Saved in ${shown}`,
    kept: formatRemarks({ encoding, bom, lineEnding }),
    remarks: [],
  };
}

/** The lines of the section with content: from the one after its heading up to `end`. null if there is none. */
function sectionIn(lines: readonly string[]): { readonly first: number; readonly end: number } | null {
  const isHeading = headingsOf(lines);
  const heading = lines.findIndex((line, at) => line.trimEnd() === HEADING && isHeading(at));
  if (heading === -1) return null;
  const next = lines.findIndex((_, at) => at > heading && isHeading(at));
  const end = next === -1 ? lines.length : next;
  const last = lines.slice(0, end).findLastIndex((line) => line.trim() !== '');
  return { first: heading + 1, end: last + 1 };
}

/** Whether a line begins a section of the same rank or a higher one. What stands in code begins nothing. */
function headingsOf(lines: readonly string[]): (at: number) => boolean {
  const code = codeRanges(lines.join(''));
  const offsets: number[] = [];
  let offset = 0;
  for (const line of lines) {
    offsets.push(offset);
    offset += line.length;
  }
  return (at) => /^#{1,2}\s/.test(lines[at] ?? '') && !isWithin(offsets[at] ?? 0, code);
}

const countBreaks = (lines: readonly string[]): number => lines.filter((line) => line.endsWith('\n')).length;
