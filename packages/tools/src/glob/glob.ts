import { lstatSync } from 'node:fs';
import { type RunContext, type Tool } from '@countersign/engine';
import { HeldDirectories, onOneLine, resolvePath, shownPath, splitPath } from '@countersign/host';
import type { ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { assertDirectory } from '../define-tool/assert-directory.js';
import { defineTool } from '../define-tool/define-tool.js';
import { renamed } from '../define-tool/rename-args.js';
import { ignoreFileNames, respectGeminiIgnore, respectGitIgnore } from '../ignore/filtering-options.js';
import { PATTERN_CHARS_MAX, type PatternPlace, placesOf } from './file-patterns.js';
import { findFiles } from './find-files.js';

const SHOWN_MAX = 1_000; // about 15,000 tokens
const SORTED_MAX = 200_000; // all have to be held to be sorted

const input = () =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .max(PATTERN_CHARS_MAX)
      .describe('Glob of the files, e.g. "**/*.ts", "src/**/*.{test,spec}.ts", "docs/*.md".'),
    dir_path: z
      .string()
      .optional()
      .describe('Directory that the pattern starts from. Default: the workspace.'),
    case_sensitive: z.boolean().optional().describe('Whether letter case matters. Default false.'),
    respect_git_ignore: respectGitIgnore(),
    respect_gemini_ignore: respectGeminiIgnore(),
  });
type Input = z.output<ReturnType<typeof input>>;

export const glob: Tool = defineTool({
  name: 'glob',
  displayName: 'Find files',
  description: `Find files by a glob pattern, the most recently changed first, at most ${SHOWN_MAX}. Excludes .git and files named by ignore files; symbolic links are not followed.`,
  kind: 'search',
  input,
  renameArgs: (args) => renamed(args, { path: 'dir_path' }),
  plan: async (args, { workspace }) => {
    const { directory, places } = await meaningOf(args, workspace);
    return {
      title: `Find ${args.pattern} in ${shownPath(workspace, directory)}`,
      resources: places.map(({ path }) => ({ kind: 'fs.read', path, scope: 'tree' })),
      repeat: 'safe',
      locations: places.map(({ path }) => ({ path })),
    };
  },
  run,
});

type Meaning = { readonly directory: string; readonly places: readonly PatternPlace[] };

async function meaningOf(
  { pattern, dir_path = '.', case_sensitive = false }: Input,
  workspace: string,
): Promise<Meaning> {
  const directory = await resolvePath(workspace, dir_path);
  const places = await placesOf([pattern], {
    directory,
    letterCase: case_sensitive ? 'matters' : 'ignored',
    depth: 'any',
    directories: 'match nothing',
  });
  return { directory, places };
}

type FoundFile = { readonly path: string; readonly changedAtMs: number };

async function run(args: Input, context: RunContext): Promise<ToolResult> {
  const { workspace } = context;
  const { directory, places } = await meaningOf(args, workspace);
  await assertDirectory(directory, workspace, 'anywhere');
  const files: FoundFile[] = [];
  let count = 0;
  const query = {
    places,
    directory,
    ignoreFileNames: ignoreFileNames(args),
    found: (path: string) => {
      count += 1;
      // Looked at as they are listed, which continues meanwhile. A file that was removed meanwhile counts as the oldest.
      if (files.length < SORTED_MAX)
        files.push({ path, changedAtMs: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 });
    },
  };
  const unreadable = await findFiles(query, context);
  const candidates = newest(files);
  const shown = stillThere(candidates);
  count -= candidates.length - shown.length;
  return describe(args.pattern, { files: shown, count, unreadable, directory }, workspace);
}

/** As many as are shown, the last changed first, and by name where that is the same. */
function newest(files: readonly FoundFile[]): FoundFile[] {
  // Numbers are sorted quickly: of a long list, only those that will be shown are sorted as files.
  const times = Float64Array.from(files, ({ changedAtMs }) => changedAtMs).sort();
  const oldestShown = times.at(-SHOWN_MAX) ?? Number.NEGATIVE_INFINITY;
  return files
    .filter(({ changedAtMs }) => changedAtMs >= oldestShown)
    .sort((a, b) => b.changedAtMs - a.changedAtMs || (a.path < b.path ? -1 : 1))
    .slice(0, SHOWN_MAX);
}

/**
 * Those that lie where their paths say, without a symlink on the way, with their own times. A path alone may lead to a
 * file outside by now. Only for those that are shown: it takes as long as listing them.
 */
function stillThere(files: readonly FoundFile[]): FoundFile[] {
  const parents = new HeldDirectories();
  try {
    const there = files.flatMap(({ path }) => {
      const changedAtMs = changedAt(path, parents);
      return changedAtMs === null ? [] : [{ path, changedAtMs }];
    });
    return newest(there);
  } finally {
    parents.release();
  }
}

/** null if no file is there. */
function changedAt(path: string, parents: HeldDirectories): number | null {
  const { parent, name } = splitPath(path);
  const held = parents.at(parent);
  const stats = held && lstatSync(held.at(name), { throwIfNoEntry: false });
  return stats?.isFile() ? stats.mtimeMs : null;
}

type Outcome = {
  readonly files: readonly FoundFile[];
  readonly count: number;
  readonly unreadable: readonly string[];
  readonly directory: string;
};

function describe(pattern: string, outcome: Outcome, workspace: string): ToolResult {
  const { files, count, unreadable, directory } = outcome;
  const shown = files.map(({ path }) => onOneLine(shownPath(workspace, path)));
  const remarks = [
    ...(count > SORTED_MAX ? [`only the first ${SORTED_MAX} found were sorted`] : []),
    ...(shown.length < count
      ? [`${count - shown.length} more not shown; use a more exact pattern, or dir_path`]
      : []),
    ...(unreadable.length > 0
      ? [`${unreadable.length} could not be read, e.g. ${onOneLine(unreadable[0] ?? '')}`]
      : []),
  ];
  const remark = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
  const where = `"${pattern}" in ${shownPath(workspace, directory)}`;
  if (count === 0) {
    const text = `No files match ${where}${remark}.`;
    return { llmContent: text, returnDisplay: text };
  }
  const heading = `${count} ${count === 1 ? 'file matches' : 'files match'} ${where}`;
  return {
    llmContent: [`${heading}, the most recently changed first${remark}:`, ...shown].join('\n'),
    returnDisplay: `${heading}${remark}`,
  };
}
