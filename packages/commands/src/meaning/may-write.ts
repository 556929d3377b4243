import { baseName } from '@countersign/kernel';
import type { CommandUnit, CommandWord } from '@countersign/protocol';
import { readArguments } from '../words/options.js';
import type { PathWords } from './path-words.js';
import { looksOnly } from './read-only.js';
import { subcommandOf, WRITERS } from './writers.js';

/** Programs that are given files to check or to read, without being known to look at nothing else. */
const READERS =
  /^(?:source|\.|direnv|bat|batcat|actionlint|yamllint|shellcheck|hadolint|markdownlint|markdownlint-cli2|cspell|vale)$/;
/** Programs whose first operand is the script that they run. */
const INTERPRETERS = /^(?:ba|da|z|k)?sh$|^(?:node|nodejs|deno|bun|ruby|perl|php|python[\d.]*)$/;
/** Of git, the subcommands that make a file or a directory by the name that they are given. */
const GIT_MAKES =
  /^(?:archive|bundle|clone|init|worktree|format-patch|submodule|subtree|bugreport|diagnose|fast-export|checkout-index|merge-file)$/;
const LEFT_OUT = /^--?(?:exclude|ignore|skip|no-)/;

/** Whether a file that a program is given could be written by it, as far as is known of that program. */
export function mayWrite(unit: CommandUnit, path: string): boolean {
  const { words, concerns } = unit;
  const name = baseName(unit.program ?? '');
  const does = concerns.some(({ type }) => type === 'escape');
  if (READERS.test(name) || (looksOnly(words) !== null && !does)) return false;
  const outlines = words.map(({ outline }) => outline);
  if (name === 'git')
    return GIT_MAKES.test(subcommandOf(words)) || outlines.some((word) => /^(?:--output|-o)/.test(word));
  if (name === 'find') return findWrites(outlines, path);
  const at = outlines.findIndex((word) => word.endsWith(path));
  if (INTERPRETERS.test(name) && at === 1) return false;
  return !LEFT_OUT.test(outlines[at] ?? '') && !LEFT_OUT.test(outlines[at - 1] ?? '');
}

/** `-delete` and the programs that change files act on what the tests name; `-prune` and `!` leave that out. */
function findWrites(words: readonly string[], path: string): boolean {
  const at = words.indexOf(path);
  if (/^-f(?:print0?|printf|ls)$/.test(words[at - 1] ?? '')) return true;
  const run = words.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
  const acts = words.includes('-delete') || (run !== -1 && WRITERS.test(baseName(words[run + 1] ?? '')));
  return acts && !/^(?:!|-not)$/.test(words[at - 2] ?? '') && words[at + 1] !== '-prune';
}

/** What gives way to something new: every file of `tee`, the last one of `cp`. */
export function replacedBy({ words, program }: CommandUnit, { pathIn }: PathWords): readonly string[] {
  const name = baseName(program ?? '');
  const every = /^(?:tee|sponge)$/.test(name);
  if (!every && !/^(?:cp|mv|ln|install|rsync|dd)$/.test(name)) return [];
  const operands = readArguments(words, { valued: 't', valuedLong: ['target-directory'] }).flatMap(
    (token): CommandWord[] => {
      if (token.type !== 'option') return [token.word];
      return token.value !== null && /^(?:-t|--target)/.test(token.name) ? [token.value] : [];
    },
  );
  const paths = operands.map((word) => (pathIn(word) ?? '').replace(/^of=/, ''));
  return every || name === 'dd' || words.some(({ leading }) => /^(?:-t|--target)/.test(leading))
    ? paths
    : paths.slice(-1);
}
