import { type RunContext, type Tool, ToolFailure } from '@countersign/engine';
import type { JsonObject, ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool.js';
import { errnoOf, readFailure } from '../file-failure.js';
import { grantedPath } from '../granted-path.js';
import { shownPath, splitPath } from '../paths/components.js';
import { nearestPaths } from '../paths/nearest-names.js';
import { openFile } from '../paths/open-file.js';
import { insideDirectory } from '../paths/open-inside.js';
import { resolvePath } from '../paths/resolve-path.js';
import { renamed } from '../rename-args.js';
import { linesInWords } from '../text/lines.js';
import { LINE_CHARS_MAX, LINES_MAX, type WantedLines } from './pick-lines.js';
import { type ReadText, readText } from './read-text.js';

const input = z
  .strictObject({
    file_path: z.string().describe('Path of the file, relative to the workspace or absolute.'),
    start_line: z.int().min(1).optional().describe('First line to read, counted from 1.'),
    end_line: z.int().min(1).optional().describe('Last line to read, inclusive.'),
  })
  .refine(({ start_line, end_line }) => end_line === undefined || end_line >= (start_line ?? 1), {
    message: '"end_line" must not be before "start_line"',
  });
type Input = z.output<typeof input>;

export const readFile: Tool = defineTool({
  name: 'read_file',
  displayName: 'Read file',
  description: `Read a text file, or lines start_line to end_line of it. Without end_line at most ${LINES_MAX} lines are given; a note says how to read on.`,
  kind: 'read',
  input,
  aliases: [{ name: 'cat' }],
  renameArgs: (args) => linesFromOffset(renamed(args, { path: 'file_path', absolute_path: 'file_path' })),
  plan: async ({ file_path, start_line }, { workspace }) => {
    const path = await resolvePath(workspace, file_path);
    return {
      title: `Read ${shownPath(workspace, path)}`,
      resources: [{ kind: 'fs.read', path, scope: 'file' }],
      repeat: 'safe',
      locations: [start_line === undefined ? { path } : { path, line: start_line }],
    };
  },
  run,
});

async function run(args: Input, { plan, workspace, signal }: RunContext): Promise<ToolResult> {
  const path = grantedPath(plan, 'fs.read');
  const shown = shownPath(workspace, path);
  const range = rangeOf(args);
  const read = await readLines(path, shown, range, signal);
  if (read === null) {
    const nearest = (await nearestPaths(path)).map((name) => shownPath(workspace, name));
    throw new ToolFailure({ code: 'file_not_found', path: shown, nearest });
  }
  if (read.total !== null && read.first > Math.max(read.total, 1)) throw beyondTheEnd(read, shown);
  return { llmContent: forModel(read, shown), returnDisplay: forPerson(read, range, shown) };
}

const rangeOf = ({ start_line, end_line }: Input): WantedLines | null =>
  start_line === undefined && end_line === undefined
    ? null
    : { first: start_line ?? 1, last: end_line ?? null };

/** null if there is no such file. */
async function readLines(
  path: string,
  shown: string,
  range: WantedLines | null,
  signal: AbortSignal,
): Promise<ReadText | null> {
  const { parent, name } = splitPath(path);
  try {
    return await insideDirectory(parent, 'fail', async (directory) => {
      const file = await openFile(directory, name, shown);
      if (file === null) return null;
      try {
        return await readText(file, { range, shown, signal });
      } finally {
        await file.handle.close();
      }
    });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw readFailure(error, shown);
  }
}

const beyondTheEnd = ({ total, first }: ReadText, shown: string): ToolFailure =>
  new ToolFailure({
    code: 'execution_failed',
    message: `${shown} has ${linesInWords(total ?? 0)}; start_line ${first} is beyond its end.`,
  });

/** The text itself, and before it whatever keeps it from being all that was asked for. */
function forModel(read: ReadText, shown: string): string {
  if (read.total === 0) return `[${shown} is empty.]`;
  const notes: string[] = [];
  if (read.more) {
    const total = read.total === null ? '' : ` of ${read.total}`;
    notes.push(
      `Lines ${read.first}-${read.last}${total} of ${shown}. Read on with start_line ${read.last + 1}.`,
    );
  }
  if (read.longLines > 0)
    notes.push(`${linesInWords(read.longLines)} longer than ${LINE_CHARS_MAX} characters cut, marked "…".`);
  return notes.length === 0 ? read.text : `[${notes.join(' ')}]\n${read.text}`;
}

function forPerson(read: ReadText, range: WantedLines | null, shown: string): string {
  const count = read.last - read.first + 1;
  const inPart = count > 0 && (range !== null || read.more);
  const what = inPart ? `lines ${read.first}-${read.last}` : linesInWords(count);
  const remarks = read.remarks.length === 0 ? '' : ` (${read.remarks.join(', ')})`;
  return `Read ${what} of ${shown}${remarks}`;
}

/** `offset` counts from 0 and `limit` is a number of lines. What is no number goes on unchanged, to be named by the check. */
function linesFromOffset(args: JsonObject): JsonObject {
  const { offset, limit, ...rest } = args;
  if (offset === undefined && limit === undefined) return args;
  if (Object.hasOwn(args, 'start_line') || Object.hasOwn(args, 'end_line')) return args;
  const skipped = offset ?? 0;
  const first = typeof skipped === 'number' ? skipped + 1 : skipped;
  const last = typeof skipped === 'number' && typeof limit === 'number' ? skipped + limit : limit;
  return {
    ...rest,
    ...(offset !== undefined && { start_line: first }),
    ...(last !== undefined && { end_line: last }),
  };
}
