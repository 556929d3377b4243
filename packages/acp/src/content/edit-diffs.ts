import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { Confirmation, Json } from '@countersign/protocol';

export type EditAsked = Extract<Confirmation, { type: 'edit' }>;

/** An edit before it is made: the whole file, as it is and as it would be. */
export const askedDiff = ({ filePath, originalContent, newContent }: EditAsked): ToolCallContent => ({
  type: 'diff',
  path: filePath,
  oldText: originalContent,
  newText: newContent,
});

export type EditMade = {
  readonly content: ToolCallContent[];
  readonly locations: ToolCallLocation[];
};

/**
 * An edit that was made; null if this is no result of one. Results hold no whole files: unless the very change was
 * shown before, each changed place is a diff of its own.
 */
export function madeDiffs(display: Json, asked: EditAsked | null): EditMade | null {
  const edit = editIn(display);
  if (!edit) return null;
  const { path, fileDiff } = edit;
  const hunks = hunksOf(fileDiff);
  const locations = hunks.map(({ line }) => ({ path, line }));
  if (asked?.fileDiff === fileDiff) return { content: [askedDiff(asked)], locations };
  const isNew = fileDiff.startsWith('--- /dev/null\n');
  const content = hunks.map(({ oldText, newText }) => ({
    type: 'diff' as const,
    path,
    oldText: isNew ? null : oldText,
    newText,
  }));
  return { content, locations };
}

function editIn(display: Json): { readonly path: string; readonly fileDiff: string } | null {
  if (typeof display !== 'object' || display === null) return null;
  if (!('fileDiff' in display && 'filePath' in display)) return null;
  const { filePath: path, fileDiff } = display;
  return typeof path === 'string' && typeof fileDiff === 'string' ? { path, fileDiff } : null;
}

type Hunk = { oldText: string; newText: string; readonly line: number };

function hunksOf(unifiedDiff: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let lastMark = '';
  for (const row of unifiedDiff.split(/(?<=\n)/)) {
    const [, line] = /^@@ -\S+ \+(\d+)/.exec(row) ?? [];
    if (line !== undefined) hunks.push({ oldText: '', newText: '', line: Math.max(1, Number(line)) });
    const hunk = hunks.at(-1);
    const mark = row[0] ?? '';
    // What stands before the first hunk names the file.
    if (line !== undefined || !hunk) continue;
    if (mark === '\\') endWithoutNewline(hunk, lastMark);
    if (mark === ' ' || mark === '-') hunk.oldText += row.slice(1);
    if (mark === ' ' || mark === '+') hunk.newText += row.slice(1);
    lastMark = mark;
  }
  return hunks;
}

/** The row before is the last line of the file, which has no line feed. */
function endWithoutNewline(hunk: Hunk, lastMark: string): void {
  if (lastMark !== '+') hunk.oldText = hunk.oldText.slice(0, -1);
  if (lastMark !== '-') hunk.newText = hunk.newText.slice(0, -1);
}
