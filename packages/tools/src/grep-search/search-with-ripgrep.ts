import { ToolFailure } from '@countersign/protocol';
import { GIT_DIRECTORY } from '../ignore/tree-filter.js';
import type { Ripgrep } from '../ripgrep/confined-ripgrep.js';
import { failed, globForName, globsToExclude, runRipgrep, unreadableIn } from '../ripgrep/run-ripgrep.js';
import { patternProblem } from './line-pattern.js';
import type { Matches } from './matches.js';
import { MatchReader } from './read-matches.js';
import type { Search, Searched } from './search.js';

export async function searchWithRipgrep(
  ripgrep: Ripgrep,
  search: Search,
  matches: Matches,
): Promise<Searched> {
  const reader = new MatchReader({
    line: (line) => matches.add(line),
    binary: (path) => matches.dropBinary(path),
  });
  const { exitCode, complaints } = await runRipgrep({
    ripgrep,
    directory: search.place.directory,
    args: [...whatToFind(search), ...whereToLook(search)],
    signal: search.signal,
    take: (printed) => {
      reader.take(printed);
      return matches.isEnough ? 'enough' : 'more';
    },
  });
  const files = filesSearchedIn(reader.rest());
  // It prints how many files it searched unless it never started.
  if (exitCode !== null && files === null) throw notBegun(complaints);
  return { files, unreadable: unreadableIn(complaints) };
}

function whatToFind({ pattern, meaning, letterCase, limits }: Search): string[] {
  return [
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--column',
    '--stats',
    '--no-context-separator',
    // `$` matches before \r\n, too.
    '--crlf',
    letterCase === 'ignored' ? '--ignore-case' : '--case-sensitive',
    ...(meaning === 'literal' ? ['--fixed-strings'] : []),
    `--before-context=${limits.before}`,
    `--after-context=${limits.after}`,
    ...(limits.perFile === Number.POSITIVE_INFINITY ? [] : [`--max-count=${limits.perFile + 1}`]),
    // With its name in the same word, so that no pattern is taken for an option.
    `--regexp=${pattern}`,
  ];
}

function whereToLook({ place, include, respectsGitIgnore }: Search): string[] {
  if (place.scope === 'file') return ['--no-ignore', '--max-depth=1', `--glob=${globForName(place.name)}`];
  return [
    ...(respectsGitIgnore ? [] : ['--no-ignore']),
    ...(include === null ? [] : [`--glob=${asGlobLine(include)}`]),
    ...globsToExclude([GIT_DIRECTORY], 'anywhere'),
    ...globsToExclude(place.filter.hiddenDirectoriesIn(''), 'here'),
  ];
}

/** ripgrep reads a glob like a line of an ignore file, where these would be a comment and nothing at all. */
const asGlobLine = (include: string): string => include.replace(/^#/, '\\#').replace(/ $/, '\\ ');

function filesSearchedIn(statistics: string): number | null {
  const found = /^(\d+) files searched$/m.exec(statistics);
  return found === null ? null : Number(found[1]);
}

function notBegun(complaints: string): ToolFailure {
  const glob = /error parsing glob '.*': (.*)/.exec(complaints)?.[1];
  if (glob !== undefined)
    return new ToolFailure({
      code: 'invalid_tool_params',
      name: 'grep_search',
      problems: [`"include_pattern" is not a glob: ${glob}`],
    });
  const regex =
    /^rg: regex parse error:[^]*^error: (.*)$/m.exec(complaints)?.[1] ??
    /^rg: (compiled regex .*)$/m.exec(complaints)?.[1];
  if (regex !== undefined) return patternProblem('pattern', regex);
  if (/^rg: the literal ".*" is not allowed/.test(complaints))
    return patternProblem('pattern', 'lines are searched one by one, so it cannot contain a line break');
  const [firstLine = ''] = complaints.split('\n');
  return failed(`ripgrep could not search: ${firstLine}`);
}
