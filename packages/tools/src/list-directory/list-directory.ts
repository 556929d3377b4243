import { type RunContext, type Tool, ToolFailure } from '@countersign/engine';
import type { ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool.js';
import { errnoOf, readFailure } from '../file-failure.js';
import { grantedPath } from '../granted-path.js';
import { type IgnoreFile, ignoreRule, isIgnored, PATTERN_CHARS_MAX } from '../ignore/ignore-rules.js';
import { loadIgnoreFiles } from '../ignore/load-ignore-files.js';
import { shownPath } from '../paths/components.js';
import { nearestPaths } from '../paths/nearest-names.js';
import { insideDirectory } from '../paths/open-inside.js';
import { resolvePath } from '../paths/resolve-path.js';
import { renamed } from '../rename-args.js';
import { describeListing, ENTRIES_SHOWN_MAX } from './describe-listing.js';
import { type Entries, type IsHidden, readEntries } from './read-entries.js';

const PATTERNS_MAX = 100; // whoever needs more wants an ignore file

const input = z.strictObject({
  dir_path: z.string().describe('Path of the directory, relative to the workspace or absolute.'),
  ignore: z
    .array(z.string().max(PATTERN_CHARS_MAX))
    .max(PATTERNS_MAX)
    .optional()
    .describe('Globs of names to leave out, e.g. ["*.log", "dist"].'),
  file_filtering_options: z
    .strictObject({
      respect_git_ignore: z.boolean().optional().describe('Leave out what .gitignore names. Default true.'),
      respect_gemini_ignore: z
        .boolean()
        .optional()
        .describe('Leave out what .geminiignore and .countersignignore name. Default true.'),
    })
    .optional(),
});
type Input = z.output<typeof input>;

export const listDirectory: Tool = defineTool({
  name: 'list_directory',
  displayName: 'List directory',
  description: `List the names in one directory: directories first, symlinks with their targets, at most ${ENTRIES_SHOWN_MAX}. What ignore files name is left out.`,
  kind: 'read',
  input,
  aliases: [{ name: 'ls' }],
  renameArgs: (args) => renamed(args, { path: 'dir_path' }),
  plan: async ({ dir_path }, { workspace }) => {
    const path = await resolvePath(workspace, dir_path);
    return {
      title: `List ${shownPath(workspace, path)}`,
      resources: [{ kind: 'fs.read', path, scope: 'tree' }],
      repeat: 'safe',
      locations: [{ path }],
    };
  },
  run,
});

async function run(args: Input, { plan, workspace, signal }: RunContext): Promise<ToolResult> {
  const path = grantedPath(plan, 'fs.read');
  const shown = shownPath(workspace, path);
  const isHidden = await hiding(args, workspace, path);
  const listed = await entriesOf(path, shown, isHidden, signal);
  if (listed !== null) return describeListing(listed, shown);
  const nearest = (await nearestPaths(path)).map((name) => shownPath(workspace, name));
  throw new ToolFailure({ code: 'file_not_found', path: shown, nearest });
}

/** null if there is no such directory. */
async function entriesOf(
  path: string,
  shown: string,
  isHidden: IsHidden,
  signal: AbortSignal,
): Promise<Entries | null> {
  try {
    return await insideDirectory(path, 'fail', (directory) => readEntries(directory, isHidden, signal));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw readFailure(error, shown);
  }
}

async function hiding(args: Input, workspace: string, path: string): Promise<IsHidden> {
  const { respect_git_ignore = true, respect_gemini_ignore = true } = args.file_filtering_options ?? {};
  const fileNames = [
    ...(respect_git_ignore ? ['.gitignore'] : []),
    ...(respect_gemini_ignore ? ['.geminiignore', '.countersignignore'] : []),
  ];
  // Each kind of file decides alone: what one keeps, another may still leave out.
  const given = (args.ignore ?? []).map((pattern) => ignoreRule(pattern, 'ignore'));
  const kinds: IgnoreFile[][] = [
    [{ rules: given.filter((rule) => rule !== null), below: [] }],
    ...(await loadIgnoreFiles(workspace, path, fileNames)),
  ];
  return (name, type) => kinds.some((files) => isIgnored(files, name, type));
}
