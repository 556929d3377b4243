import type { RunContext, Tool } from '@countersign/engine';
import { componentsBelow, isAmongOurs, isSecretPath, shownPath } from '@countersign/host';
import type { ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { renamed } from '../define-tool/rename-args.js';
import { PATTERN_CHARS_MAX, type PatternPlace, placesOf } from '../glob/file-patterns.js';
import { findFiles } from '../glob/find-files.js';
import { expandBraces } from '../ignore/braces.js';
import { fileFilteringOptions, ignoreFileNames } from '../ignore/filtering-options.js';
import { type IgnoreRule, ignoreRule, isIgnored } from '../ignore/ignore-rules.js';
import { DEFAULT_EXCLUDES } from './default-excludes.js';
import { describeReading } from './describe-reading.js';
import { type FileToRead, readInTurn } from './read-in-turn.js';

const PATTERNS_MAX = 200; // for more, use a wildcard
const FOUND_MAX = 20_000; // far more than can be read at once, and all have to be held to be sorted

const patterns = z.array(z.string().min(1).max(PATTERN_CHARS_MAX)).max(PATTERNS_MAX);
const input = () =>
  z.strictObject({
    include: patterns
      .min(1)
      .describe(
        'Files to read: paths, directories, or globs from the workspace, e.g. ["src/**/*.ts", "README.md"].',
      ),
    exclude: patterns
      .optional()
      .describe('Globs of names or paths to exclude, e.g. ["*.test.ts", "src/generated"].'),
    recursive: z.boolean().optional().describe('Whether directories and "**" are recursive. Default true.'),
    useDefaultExcludes: z
      .boolean()
      .optional()
      .describe(
        'Exclude dependencies, build products, lock files, secrets and binary formats, unless their full path is given. Default true.',
      ),
    file_filtering_options: fileFilteringOptions(),
  });
type Input = z.output<ReturnType<typeof input>>;

/** `ours`: this program's own directories and files, by their real paths, which no pattern finds. */
export const readManyFiles = (ours: readonly string[]): Tool =>
  defineTool({
    name: 'read_many_files',
    displayName: 'Read many files',
    description:
      'Read the text files that paths and globs name, in order of path, each after a line "--- path ---". Images and PDF are returned only if their name or extension is in "include". Excludes files named by ignore files.',
    kind: 'read',
    input,
    renameArgs: (args) => renamed(args, { paths: 'include' }),
    plan: async (args, { workspace }) => {
      const places = await meaningOf(args, workspace);
      return {
        title: `Read ${args.include.join(', ')}`,
        resources: places.map(({ path, scope }) => ({ kind: 'fs.read', path, scope })),
        repeat: 'safe',
        locations: places.map(({ path }) => ({ path })),
      };
    },
    run: (args, context) => run(args, context, ours),
  });

const meaningOf = ({ include, recursive = true }: Input, workspace: string): Promise<PatternPlace[]> =>
  placesOf(include, {
    directory: workspace,
    letterCase: 'ignored',
    depth: recursive ? 'any' : 'flat',
    directories: 'stand for their files',
  });

async function run(args: Input, context: RunContext, ours: readonly string[]): Promise<ToolResult> {
  const { workspace } = context;
  const places = await meaningOf(args, workspace);
  const named = new Set(places.filter(({ scope }) => scope === 'file').map(({ path }) => path));
  const isWithheld = withholding(context);
  const isOurs = foundOurs(context, ours);
  const isExcluded = excluding(args.exclude ?? []);
  const isExcludedByDefault = args.useDefaultExcludes === false ? () => false : excluding(DEFAULT_EXCLUDES);

  const files: FileToRead[] = [];
  const withheld: string[] = [];
  let count = 0;
  const query = {
    places,
    directory: workspace,
    ignoreFileNames: ignoreFileNames(args.file_filtering_options),
    found: (path: string) => {
      const shown = shownPath(workspace, path);
      const isNamed = named.has(path);
      if (!isNamed && isOurs(path)) return;
      if (isExcluded(shown) || (!isNamed && isExcludedByDefault(shown))) return;
      if (!isNamed && isWithheld(path)) {
        withheld.push(shown);
        return;
      }
      count += 1;
      if (files.length < FOUND_MAX)
        files.push({ path, shown, media: isNamed || namesType(args, path) ? 'wanted' : 'unwanted' });
    },
  };
  const unreadable = await findFiles(query, context);
  files.sort((a, b) => (a.shown < b.shown ? -1 : 1));
  return describeReading(await readInTurn(files, context), {
    count,
    unreadable,
    include: args.include,
    withheld,
  });
}

/** What a pattern finds was not judged by its name. Below a place that a person was asked about, they agreed to it. */
function withholding({ plan, workspace }: RunContext): (path: string) => boolean {
  const asked = plan.resources.filter((resource) => 'guarded' in resource && resource.guarded !== null);
  return (path) =>
    isSecretPath(shownPath(workspace, path)) &&
    !asked.some((resource) => 'path' in resource && componentsBelow(resource.path, path) !== null);
}

/** Whether a file is one of our own, below a place that was not judged as such. */
function foundOurs({ plan, workspace }: RunContext, ours: readonly string[]): (path: string) => boolean {
  const isOurs = (path: string) => isAmongOurs(path, ours, workspace);
  const judged = plan.resources.filter((resource) => 'path' in resource && isOurs(resource.path));
  return (path) =>
    isOurs(path) &&
    !judged.some((resource) => 'path' in resource && componentsBelow(resource.path, path) !== null);
}

/** As a line of an ignore file at the top of the workspace would. */
function excluding(globs: readonly string[]): (path: string) => boolean {
  const rules = globs
    .flatMap(expandBraces)
    .map((glob) => ignoreRule(glob.replace(/^\.\//, '/'), 'ignore'))
    .filter((rule) => rule !== null);
  return (path) => {
    const names = path.split('/');
    return names.some((name, depth) =>
      isNamed(rules, names.slice(0, depth).join('/'), name, depth === names.length - 1),
    );
  };
}

const isNamed = (rules: readonly IgnoreRule[], parent: string, name: string, isLast: boolean): boolean =>
  isIgnored([{ rules, below: parent === '' ? '' : `${parent}/` }], name, isLast ? 'other' : 'directory');

/** Whether a pattern mentions files of this kind, as `*.png` does. */
function namesType({ include }: Input, path: string): boolean {
  const extension = /\.[^./]+$/.exec(path)?.[0].toLowerCase();
  return extension !== undefined && include.some((pattern) => pattern.toLowerCase().includes(extension));
}
