import { type PlanDraft, type RunContext, type Tool, ToolFailure } from '@countersign/engine';
import type { Basis, Confirmation, DiffStat, JsonObject, Plan, ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { contentHash } from '../content-hash.js';
import { defineTool } from '../define-tool.js';
import { errnoOf, readFailure, writeFailure } from '../file-failure.js';
import { shownPath, splitPath } from '../paths/components.js';
import { readWholeFile, type WholeFile } from '../paths/open-file.js';
import { type HeldDirectory, insideDirectory } from '../paths/open-inside.js';
import { resolvePath } from '../paths/resolve-path.js';
import { renamed } from '../rename-args.js';
import { countLines, linesInWords } from '../text/lines.js';
import { type UnifiedDiff, unifiedDiff } from '../text/unified-diff.js';
import { writeAtomically } from '../write-atomically.js';
import { type ContentToWrite, contentToWrite, textToReplace } from './content-to-write.js';

const PRESENT_BYTES_MAX = 20_000_000; // a change of more can't be shown to anybody

const input = z.strictObject({
  file_path: z.string().describe('Path of the file, relative to the workspace or absolute.'),
  content: z.string().describe('The complete new content.'),
});

export const writeFile: Tool = defineTool({
  name: 'write_file',
  displayName: 'Write file',
  description:
    'Create a text file, or replace the whole content of one. Missing directories are made. An existing file keeps its encoding and line endings.',
  kind: 'edit',
  input,
  aliases: [{ name: 'edit', when: isWholeContent }],
  renameArgs: (args) => renamed(args, { path: 'file_path', new_content: 'content' }),
  withContent: (args, content) => ({ ...args, content }),
  plan: async ({ file_path, content }, { workspace }) => {
    const path = await resolvePath(workspace, file_path);
    const shown = shownPath(workspace, path);
    const present = await readPresent(path, shown);
    if (file_path.endsWith('/'))
      throw new ToolFailure({
        code: 'invalid_path',
        path: file_path,
        problem: 'it ends in "/", so it names a directory',
      });
    return draftOf(path, shown, changeOf(present, content, shown));
  },
  run: async ({ content }, context) => {
    const basis = basisOf(context.plan);
    const { parent, name } = splitPath(basis.path);
    const shown = shownPath(context.workspace, basis.path);
    try {
      return await insideDirectory(parent, basis.before === null ? 'create' : 'fail', (directory) =>
        write({ content, basis, directory, name, shown }, context),
      );
    } catch (error) {
      throw writeFailure(error, shown);
    }
  },
});

function isWholeContent(args: JsonObject): boolean {
  return Object.hasOwn(args, 'new_content') && !Object.hasOwn(args, 'old_string');
}

/** null if there is no such file. */
async function readPresent(path: string, shown: string): Promise<WholeFile | null> {
  const { parent, name } = splitPath(path);
  try {
    return await insideDirectory(parent, 'fail', (directory) =>
      readWholeFile(directory, name, shown, PRESENT_BYTES_MAX),
    );
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw readFailure(error, shown);
  }
}

/** What the file is, what it will be, and the difference, which is worked out only if somebody looks. */
type FileChange = {
  readonly before: string | null;
  readonly beforeText: string | null;
  readonly after: ContentToWrite;
  readonly diff: () => UnifiedDiff;
};

function changeOf(present: WholeFile | null, content: string, shown: string): FileChange {
  const old = present === null ? null : textToReplace(present.bytes, shown);
  const after = contentToWrite(old, content, shown);
  const beforeText = old?.text ?? null;
  let diff: UnifiedDiff | null = null;
  return {
    before: present === null ? null : contentHash(present.bytes),
    beforeText,
    after,
    diff: () => {
      diff ??= unifiedDiff(shown, beforeText, after.text);
      return diff;
    },
  };
}

function draftOf(path: string, shown: string, change: FileChange): PlanDraft {
  const isNew = change.before === null;
  return {
    title: isNew ? `Write ${shown} (new file)` : `Write ${shown}`,
    resources: [{ kind: 'fs.write', path, scope: 'file' }],
    repeat: 'unsafe',
    locations: [{ path }],
    basis: [{ path, before: change.before, after: change.after.hash }],
    get confirmation(): Confirmation {
      const { text, stat } = change.diff();
      return {
        type: 'edit',
        title: isNew ? `Write ${shown} (new file)` : `Write ${shown} (${statInWords(stat)})`,
        fileName: splitPath(path).name,
        filePath: path,
        fileDiff: text,
        originalContent: change.beforeText,
        newContent: change.after.text,
        diffStat: stat,
      };
    },
  };
}

const statInWords = ({ added, removed }: DiffStat): string => `+${added} −${removed}`;

function basisOf({ basis, title }: Plan): Basis {
  const [first] = basis;
  if (first === undefined) throw new Error(`the plan "${title}" has no basis`);
  return first;
}

type Writing = {
  readonly content: string;
  readonly basis: Basis;
  readonly directory: HeldDirectory;
  readonly name: string;
  readonly shown: string;
};

/** Writes exactly what was planned over exactly what was seen, or nothing. */
async function write(
  { content, basis, directory, name, shown }: Writing,
  { signal }: RunContext,
): Promise<ToolResult> {
  const present = await readWholeFile(directory, name, shown, PRESENT_BYTES_MAX);
  const stale = new ToolFailure({ code: 'stale_file', path: shown });
  if ((present === null ? null : contentHash(present.bytes)) !== basis.before) throw stale;
  const change = changeOf(present, content, shown);
  if (change.after.hash !== basis.after) throw stale;
  const changed = change.after.hash !== change.before;
  if (changed) {
    const { bytes } = change.after;
    await writeAtomically({ directory, name, bytes, present: present?.stats ?? null, shown, signal });
  }
  return {
    llmContent: changed
      ? doneInWords(change, shown)
      : `${shown} already has exactly this content. Nothing was written.`,
    returnDisplay: {
      fileName: name,
      filePath: basis.path,
      fileDiff: change.diff().text,
      diffStat: change.diff().stat,
    },
  };
}

function doneInWords(change: FileChange, shown: string): string {
  const lines = linesInWords(countLines(change.after.text));
  if (change.before === null) return `Created ${shown} with ${lines}.`;
  const { kept } = change.after;
  const remark = kept.length === 0 ? '' : ` Kept as the file was: ${kept.join(', ')}.`;
  return `Wrote ${shown}: now ${lines} (${statInWords(change.diff().stat)}).${remark}`;
}
