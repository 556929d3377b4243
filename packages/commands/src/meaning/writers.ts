import type { CommandWord } from '@countersign/protocol';
import { GIT_GLOBAL } from '../escapes/git.js';
import { readArguments } from '../words/options.js';

/** Programs that are given files in order to change them. */
export const WRITERS =
  /^(?:cp|mv|rm|rmdir|unlink|ln|tee|touch|truncate|shred|install|mkdir|mkfifo|chmod|chown|chgrp|dd|rsync|patch|tar|unzip|sponge|ed|ex|vi|vim|nvim|nano|emacs|dos2unix|unix2dos|black|isort|rustfmt|autoflake)$/;

/** Programs that change their files only with one of these options. */
const WITH_OPTION: readonly (readonly [program: RegExp, option: RegExp])[] = [
  // Clusters end at the options that take a value: in `-ne 's/i/x/'` there is no -i.
  [/^g?sed$/, /^(?:-[nErszub]*[iI]|--i[a-z-]*(?:=|$))/],
  [/^(?:perl|ruby)[\d.]*$/, /^-[a-df-hj-zA-DF-HJ-LN-Z0-9]*i/],
  [/^[gmn]?awk$/, /^(?:inplace|-iinplace|--include=inplace)$/],
  [
    /^(?:yq|xmlstarlet|clang-format|autopep8|yapf|shfmt|gofmt|goimports|gofumpt|taplo|prettier)$/,
    /^-[a-zA-Z]*[iwLlr]/,
  ],
  [/./, /^--(?:in-?place|write|fix|fix-[a-z]+|autocorrect|auto-correct|unsafe-fixes)(?:=|$)/],
];

/** Of git, the subcommands that change files of the work tree that they are given. */
const GIT_WRITES =
  /^(?:checkout|restore|rm|mv|clean|apply|am|stash|reset|switch|merge|rebase|cherry-pick|revert)$/;

/** Whether the files that a program is given are there to be changed. */
export function writesItsFiles(name: string, words: readonly CommandWord[]): boolean {
  if (WRITERS.test(name)) return true;
  const given = words.slice(1).map(({ outline }) => outline);
  if (name === 'git') return GIT_WRITES.test(subcommandOf(words));
  return WITH_OPTION.some(
    ([program, option]) => program.test(name) && given.some((word) => option.test(word)),
  );
}

export const subcommandOf = (words: readonly CommandWord[]): string =>
  readArguments(words, GIT_GLOBAL).find(({ type }) => type === 'operand')?.word.text ?? '';
