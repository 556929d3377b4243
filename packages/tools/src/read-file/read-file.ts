import { closeSync } from 'node:fs';
import { type RunContext, type Tool } from '@countersign/engine';
import {
  errnoOf,
  fileNotFound,
  filesNear,
  insideDirectory,
  linesInWords,
  type OpenedFile,
  openFile,
  readFailure,
  resolvePathSync,
  shownPath,
  splitPath,
} from '@countersign/host';
import { type JsonObject, ToolFailure, type ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { grantedPath } from '../define-tool/granted-path.js';
import { renamed } from '../define-tool/rename-args.js';
import { forModel, forPerson } from './describe-text.js';
import { FileBytes } from './file-bytes.js';
import { LINES_MAX } from './pick-lines.js';
import { audioTypeOf, inlineTypeOf, readInline } from './read-inline.js';
import { type ReadText, readText } from './read-text.js';

const input = () =>
  z
    .strictObject({
      file_path: z.string().describe('Path of the file, relative to the workspace or absolute.'),
      start_line: z.int().min(1).optional().describe('First line to read, counted from 1.'),
      end_line: z.int().min(1).optional().describe('Last line to read, inclusive.'),
    })
    .refine(({ start_line, end_line }) => end_line === undefined || end_line >= (start_line ?? 1), {
      message: '"end_line" must not be before "start_line"',
    });
type Input = z.output<ReturnType<typeof input>>;

/** The names that earlier models learned; `renameArgs` understands them. */
const byOffset = () =>
  z.strictObject({
    file_path: input().shape.file_path,
    offset: z.int().min(0).optional().describe('Number of lines to skip first.'),
    limit: z.int().min(1).optional().describe('Number of lines to read.'),
  });

export const readFile: Tool = defineTool({
  name: 'read_file',
  displayName: 'Read file',
  description: `Read a text file, or lines start_line to end_line of it. Without end_line at most ${LINES_MAX} lines are returned, with a note on how to continue. Images, PDF and audio are returned as they are.`,
  kind: 'read',
  input,
  words: {
    'default-legacy': {
      description: `Read a text file, or limit lines of it after the first offset ones. At most ${LINES_MAX} lines are returned at once, with a note on how to continue. Images, PDF and audio are returned as they are.`,
      input: byOffset,
    },
  },
  aliases: [{ name: 'cat' }],
  renameArgs: (args) => linesFromOffset(renamed(args, { path: 'file_path', absolute_path: 'file_path' })),
  // Without waiting, like the run: a queued look at the path would cost as much as all the rest.
  plan: ({ file_path, start_line }, { workspace }) => {
    const path = resolvePathSync(workspace, file_path);
    return {
      title: `Read ${shownPath(workspace, path)}`,
      resources: [{ kind: 'fs.read', path, scope: 'file' }],
      repeat: 'safe',
      locations: [start_line === undefined ? { path } : { path, line: start_line }],
    };
  },
  run,
});

async function run(args: Input, context: RunContext): Promise<ToolResult> {
  const { plan, workspace } = context;
  const path = grantedPath(plan, 'fs.read');
  const shown = shownPath(workspace, path);
  const { parent, name } = splitPath(path);
  try {
    return await insideDirectory(parent, 'fail', async (directory) => {
      const file = openFile(directory, name, shown);
      if (file === null) throw await fileNotFound(path, workspace, 'anywhere');
      try {
        return await readOpened(file, args, { shown, context });
      } finally {
        closeSync(file.fd);
      }
    });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw await fileNotFound(path, workspace, 'anywhere');
    if (error instanceof ToolFailure && error.failure.code === 'target_is_directory')
      throw await directoryInstead(path, workspace);
    throw readFailure(error, shown);
  }
}

type Circumstances = { readonly shown: string; readonly context: Pick<RunContext, 'signal'> };

async function readOpened(file: OpenedFile, args: Input, about: Circumstances): Promise<ToolResult> {
  const { shown } = about;
  const bytes = new FileBytes(file);
  const inlineType = inlineTypeOf(bytes);
  if (inlineType !== null) return readInline(bytes, inlineType, about);
  const { start_line: first = 1, end_line: last = null } = args;
  const read = await readText(bytes, { ...about, wanted: { first, last } }).catch((error: unknown) => {
    const audioType = audioTypeOf(error);
    if (audioType === null) throw error;
    return audioType;
  });
  if (typeof read === 'string') return readInline(bytes, read, about);
  if (read.total !== null && first > Math.max(read.total, 1)) throw beyondTheEnd(read, shown);
  const asked = args.start_line === undefined && last === null ? 'the file' : 'a range';
  return { llmContent: forModel(read, shown), returnDisplay: forPerson(read, shown, asked) };
}

const beyondTheEnd = ({ total, first }: ReadText, shown: string): ToolFailure =>
  new ToolFailure({
    code: 'execution_failed',
    message: `${shown} has ${linesInWords(total ?? 0)}; start_line ${first} is beyond its end.`,
  });

async function directoryInstead(path: string, workspace: string): Promise<ToolFailure> {
  const nearest = (await filesNear(path)).map((near) => shownPath(workspace, near));
  return new ToolFailure({ code: 'target_is_directory', path: shownPath(workspace, path), nearest });
}

/** `offset` counts from 0 and `limit` is a number of lines. What is no number continues unchanged, to be named by the check. */
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
