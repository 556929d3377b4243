import { closeSync, lstatSync } from 'node:fs';
import { type RunContext, type Tool } from '@countersign/engine';
import {
  errnoOf,
  fileNotFound,
  insideDirectory,
  isAmongOurs,
  isSecretPath,
  openFile,
  readFailure,
  resolvePath,
  secretsBelow,
  shownPath,
  splitPath,
} from '@countersign/host';
import { ToolFailure, type ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { grantedPath } from '../define-tool/granted-path.js';
import { renamed } from '../define-tool/rename-args.js';
import { ignoreFileNames } from '../ignore/filtering-options.js';
import { TreeFilter } from '../ignore/tree-filter.js';
import { confinedRipgrep } from '../ripgrep/confined-ripgrep.js';
import { leftToFilter } from '../ripgrep/left-to-filter.js';
import { describeMatches } from './describe-matches.js';
import { compileLinePattern } from './line-pattern.js';
import { COUNTED_MAX, Matches, type MatchLimits } from './matches.js';
import type { Search, SearchedPlace } from './search.js';
import { searchWithRipgrep } from './search-with-ripgrep.js';
import { includes, searchWithoutRipgrep } from './search-without-ripgrep.js';

const SHOWN_MATCHES_DEFAULT = 100;
const PATTERN_CHARS_MAX = 10_000; // a longer one is a list of words that belongs into several searches
const CONTEXT_LINES_MAX = 1_000; // to see more, read the file

const withoutNul = z
  .string()
  .refine((text) => !text.includes('\0'), 'a pattern cannot contain a NUL character');
const contextLines = z.int().min(0).max(CONTEXT_LINES_MAX).optional();

const input = () =>
  z.strictObject({
    pattern: withoutNul
      .min(1)
      .max(PATTERN_CHARS_MAX)
      .describe('The regular expression to search for (Rust syntax), matched on each line.'),
    dir_path: z
      .string()
      .optional()
      .describe('Directory to search recursively, or one file. Default: the workspace.'),
    include_pattern: withoutNul
      .max(PATTERN_CHARS_MAX)
      .optional()
      .describe('Glob of the files to search, e.g. "*.ts", "*.{ts,tsx}", "src/**".'),
    exclude_pattern: withoutNul
      .max(PATTERN_CHARS_MAX)
      .optional()
      .describe('Regular expression of matching lines to exclude.'),
    names_only: z.boolean().optional().describe('Return only the paths of the files with matches.'),
    max_matches_per_file: z.int().min(1).optional().describe('Return at most this many matches per file.'),
    total_max_matches: z
      .int()
      .min(1)
      .optional()
      .describe(
        `Return at most this many matches, or files with names_only. Default ${SHOWN_MATCHES_DEFAULT}.`,
      ),
    case_sensitive: z.boolean().optional().describe('Whether letter case matters. Default false.'),
    fixed_strings: z.boolean().optional().describe('Search for the pattern as literal text. Default false.'),
    context: contextLines.describe('Lines to show before and after each match.'),
    before: contextLines.describe('Lines to show before each match.'),
    after: contextLines.describe('Lines to show after each match.'),
    no_ignore: z.boolean().optional().describe('Also search files that ignore files exclude. Default false.'),
  });
type Input = z.output<ReturnType<typeof input>>;

/** `ours`: this program's own directories and files, by their real paths, of which a search shows nothing. */
export const grepSearch = (ours: readonly string[]): Tool =>
  defineTool({
    name: 'grep_search',
    displayName: 'Search text',
    description: `Search the lines of text files for a regular expression, in order of path. Letter case is ignored unless case_sensitive is true. Files that .gitignore, .geminiignore or .countersignignore name, binary files, .git and files that usually hold secrets are skipped; to search one of those, give its path.`,
    kind: 'search',
    input,
    aliases: [{ name: 'grep' }, { name: 'search_file_content' }],
    renameArgs: (args) => renamed(args, { path: 'dir_path', include: 'include_pattern' }),
    plan: async ({ pattern, dir_path = '.' }, { workspace }) => {
      const path = await resolvePath(workspace, dir_path);
      return {
        title: `Search for "${pattern}" in ${shownPath(workspace, path)}`,
        // A file too: searching it is not reading it.
        resources: [{ kind: 'fs.read', path, scope: 'tree' }],
        repeat: 'safe',
        locations: [{ path }],
      };
    },
    run: (args, context) => run(args, { context, ours }),
  });

type Searching = { readonly context: RunContext; readonly ours: readonly string[] };

async function run(args: Input, searching: Searching): Promise<ToolResult> {
  const { context } = searching;
  const { workspace } = context;
  const path = grantedPath(context.plan, 'fs.read');
  const shown = shownPath(workspace, path);
  try {
    const isDirectory = lstatSync(path).isDirectory();
    return await (isDirectory ? searchTree : searchFile)(args, path, shown, searching);
  } catch (error) {
    throw errnoOf(error) === 'ENOENT'
      ? await fileNotFound(path, workspace, 'anywhere')
      : readFailure(error, shown);
  }
}

const searchTree = (args: Input, path: string, shown: string, searching: Searching): Promise<ToolResult> =>
  insideDirectory(path, 'fail', async (directory) => {
    const { workspace } = searching.context;
    const wanted = args.no_ignore === true ? [] : ignoreFileNames();
    const isListedByRipgrep = (await confinedRipgrep(workspace)) !== null && !args.include_pattern;
    const fileNames = isListedByRipgrep ? leftToFilter(path, workspace, wanted) : wanted;
    const filter = new TreeFilter(workspace, path, fileNames);
    return search(args, { directory, path, scope: 'tree', filter }, shown, searching);
  });

function searchFile(args: Input, path: string, shown: string, searching: Searching): Promise<ToolResult> {
  const { parent, name } = splitPath(path);
  return insideDirectory(parent, 'fail', async (directory) => {
    // Only to see that it still is a regular file.
    const file = openFile(directory, name, shown);
    if (file === null) throw new ToolFailure({ code: 'stale_file', path: shown });
    closeSync(file.fd);
    return search(args, { directory, path: parent, scope: 'file', name }, shown, searching);
  });
}

async function search(
  args: Input,
  place: SearchedPlace,
  shown: string,
  searching: Searching,
): Promise<ToolResult> {
  const { workspace, signal } = searching.context;
  const limits = limitsOf(args);
  const include = args.include_pattern || null;
  const letterCase = args.case_sensitive === true ? 'matters' : 'ignored';
  const exclude = args.exclude_pattern
    ? await compileLinePattern({
        argument: 'exclude_pattern',
        source: args.exclude_pattern,
        letterCase,
        meaning: 'regular expression',
      })
    : null;
  const isWithheld = withheldIn(place, searching);
  const matches = new Matches(
    limits,
    (path) => place.scope === 'file' || (!place.filter.hides(path, 'other') && !isWithheld(path)),
    (text) => exclude !== null && exclude(text) !== -1,
  );
  const wanted: Search = {
    pattern: args.pattern,
    meaning: args.fixed_strings === true ? 'literal' : 'regular expression',
    letterCase,
    include,
    // Lines that are omitted may not use up what is wanted of a file.
    limits: exclude === null ? limits : { ...limits, perFile: Number.POSITIVE_INFINITY },
    respectsGitIgnore: args.no_ignore !== true,
    place,
    signal,
  };
  const ripgrep = await confinedRipgrep(workspace);
  const searched =
    ripgrep === null
      ? await searchWithoutRipgrep(wanted, matches)
      : await searchWithRipgrep(ripgrep, wanted, matches);
  return describeMatches(matches.found(), searched, {
    pattern: args.pattern,
    shown,
    include,
    names: args.names_only === true ? 'only' : 'with lines',
    totalMax: limits.total,
    perFileMax: limits.perFile,
    withheld: withheldFiles(place, isWithheld, include),
    nameOf: (path) => shownPath(workspace, `${place.path}/${path}`),
  });
}

const ENTRIES_LOOKED_AT_MAX = 20_000; // naming what is omitted may not take longer than the search

/** Whether a file is omitted because no user approved reading it: a search of a secret place asks. */
function withheldIn(place: SearchedPlace, { context, ours }: Searching): (path: string) => boolean {
  if (place.scope === 'file') return () => false;
  const { plan, workspace } = context;
  const wasAsked = plan.resources.some((resource) => 'guarded' in resource && resource.guarded !== null);
  const isOurs = isAmongOurs(place.path, ours, workspace)
    ? () => false
    : (path: string) => isAmongOurs(`${place.path}/${path}`, ours, workspace);
  return (path) => (!wasAsked && isSecretPath(path)) || isOurs(path);
}

/** All of them, whether or not they match: a list of those that match would reveal what is in them. */
function withheldFiles(
  place: SearchedPlace,
  isWithheld: (path: string) => boolean,
  include: string | null,
): readonly string[] {
  const look = { links: false, hidden: true, entriesMax: ENTRIES_LOOKED_AT_MAX };
  const isIncluded = includes(include);
  return secretsBelow(place.path, look).secrets.filter((path) => isWithheld(path) && isIncluded(path));
}

function limitsOf(args: Input): MatchLimits {
  const total = Math.min(args.total_max_matches ?? SHOWN_MATCHES_DEFAULT, COUNTED_MAX);
  if (args.names_only === true) return { total, perFile: 1, before: 0, after: 0 };
  return {
    total,
    perFile: args.max_matches_per_file ?? Number.POSITIVE_INFINITY,
    before: args.before ?? args.context ?? 0,
    after: args.after ?? args.context ?? 0,
  };
}
