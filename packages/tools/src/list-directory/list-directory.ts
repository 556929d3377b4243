import { type RunContext, type Tool } from '@countersign/engine';
import { fileNotFound, readInside, resolvePath, shownPath } from '@countersign/host';
import type { ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { grantedPath } from '../define-tool/granted-path.js';
import { renamed } from '../define-tool/rename-args.js';
import { fileFilteringOptions, ignoreFileNames } from '../ignore/filtering-options.js';
import { ignoreRule, isIgnored, PATTERN_CHARS_MAX } from '../ignore/ignore-rules.js';
import { type IgnoreFiles, loadIgnoreFiles } from '../ignore/load-ignore-files.js';
import { describeListing, ENTRIES_SHOWN_MAX } from './describe-listing.js';
import { type IsHidden, readEntries } from './read-entries.js';

const PATTERNS_MAX = 100; // for more, use an ignore file

const input = () =>
  z.strictObject({
    dir_path: z.string().describe('Path of the directory, relative to the workspace or absolute.'),
    ignore: z
      .array(z.string().max(PATTERN_CHARS_MAX))
      .max(PATTERNS_MAX)
      .optional()
      .describe('Globs of names to exclude, e.g. ["*.log", "dist"].'),
    file_filtering_options: fileFilteringOptions(),
  });
type Input = z.output<ReturnType<typeof input>>;

export const listDirectory: Tool = defineTool({
  name: 'list_directory',
  displayName: 'List directory',
  description: `List the names in one directory: directories first, symlinks with their targets, at most ${ENTRIES_SHOWN_MAX}. Excludes files named by ignore files.`,
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
  const isHidden = hiding(args, workspace, path);
  const listed = await readInside(path, shown, (directory) => readEntries(directory, isHidden, signal));
  if (listed === null) throw await fileNotFound(path, workspace, 'near');
  return describeListing(listed, shown);
}

function hiding(args: Input, workspace: string, path: string): IsHidden {
  // Each kind of file decides alone: what one keeps, another may still omit.
  const given = (args.ignore ?? []).map((pattern) => ignoreRule(pattern, 'ignore'));
  const kinds: IgnoreFiles = [
    [{ rules: given.filter((rule) => rule !== null), below: '' }],
    ...loadIgnoreFiles(workspace, path, ignoreFileNames(args.file_filtering_options)),
  ];
  return (name, type) => kinds.some((files) => isIgnored(files, name, type));
}
