import type { CommandWord } from '@countersign/protocol';
import { configSetting, GIT_GLOBAL } from '../escapes/git.js';
import { hasOption, isAbbreviated, names, optionValues, readArguments } from '../words/options.js';
import type { Search } from './searches.js';

type GitUse = {
  readonly word: CommandWord;
  readonly as: 'path' | 'perhaps';
  readonly search?: Search;
  readonly access?: 'writes';
};

/** Options whose value is a file that git reads, wherever it lies. */
const FILES = names('contents ignore-revs-file exclude-from pathspec-from-file file');
const VALUED = names(
  'contents ignore-revs-file exclude-from pathspec-from-file file grep author committer since until after before skip max-count diff-filter',
);

/**
 * What git is given. Most of it are revisions and paths within the repository, which git does not leave; `diff` leaves
 * it for paths that lie elsewhere, and some options name files of their own.
 */
export function gitUses(words: readonly CommandWord[]): readonly GitUse[] {
  const globals = readArguments(words, GIT_GLOBAL);
  const sub = globals.find(({ type }) => type === 'operand');
  const given = optionValues(globals, /^(?:-C|--git-dir|--work-tree)$/).map(
    (word): GitUse => ({ word, as: 'path' }),
  );
  if (sub === undefined) return given;
  if (sub.word.text === 'config') given.push(...configUses(sub.word, words.slice(sub.index + 1)));
  const isGrep = sub.word.text === 'grep';
  const makesFile = /^(?:archive|format-patch)$/.test(sub.word.text ?? '');
  const tokens = readArguments(
    words,
    { valued: isGrep ? 'efAmBCO' : `SGOULnFX${makesFile ? 'o' : ''}`, valuedLong: VALUED },
    sub.index + 1,
  );
  const isWithoutIndex = hasOption(tokens, /^--no-index$/);
  const leaves = sub.word.text === 'diff' || isWithoutIndex;
  const reads = isGrep && hasOption(tokens, /^--(?:no-index|untracked)$/);
  const compares = sub.word.text === 'diff' && isWithoutIndex;
  const search = reads || compares ? { search: UNTRACKED } : {};
  let isPattern = isGrep && !hasOption(tokens, /^-[ef]$/);
  const uses = tokens.flatMap((token): GitUse[] => {
    if (token.type === 'option') {
      if (token.value === null) return [{ word: token.word, as: 'perhaps' }];
      const isFile =
        (isGrep && token.name === '-f') ||
        /^-[OFX]$/.test(token.name) ||
        (token.name.startsWith('--') && isAbbreviated(token.name, FILES));
      return [{ word: token.value, as: isFile ? 'path' : 'perhaps' }];
    }
    if (isPattern) {
      isPattern = false;
      return [{ word: token.word, as: 'perhaps' }];
    }
    return [{ word: token.word, as: leaves ? 'path' : 'perhaps', ...search }];
  });
  const isRooted = uses.some((use) => use.search !== undefined);
  const [program] = words;
  return reads && !isRooted && program !== undefined
    ? [...given, ...uses, { word: { ...program, ...HERE }, as: 'path', search: UNTRACKED }]
    : [...given, ...uses];
}

const UNTRACKED: Search = { links: false, hidden: true, shows: 'content' };
const HERE = { text: '.', leading: '.', outline: '.', source: '.' };

/** The file that `git config` changes, if it changes one. */
function configUses(word: CommandWord, rest: readonly CommandWord[]): GitUse[] {
  if (configSetting(rest) === undefined) return [];
  const isGiven = (option: RegExp) => rest.some(({ leading }) => option.test(leading));
  if (isGiven(/^(?:-f|--file)/)) return [];
  const shared = isGiven(/^--system$/) ? '/etc/gitconfig' : '.git/config';
  const path = isGiven(/^--global$/) ? '~/.gitconfig' : shared;
  const named = { ...word, text: path, leading: path, outline: path, source: path };
  return [{ word: named, as: 'path', access: 'writes' }];
}

/**
 * `HEAD:path`, `:path`, `:2:path`, `-L1,5:path` and `:(top)path`: the file in the repository that they name. Git counts
 * it from the root of the repository, unless it begins with a dot. `:!path` leaves a file out.
 */
export function pathsInRevision({ outline }: CommandWord): readonly string[] {
  const magic = /^:(?:\(([^)]*)\)|([/!^]+))(.+)$/s.exec(outline);
  if (magic !== null) {
    const [, long = '', short = '', path = ''] = magic;
    return /exclude/.test(long) || /[!^]/.test(short) ? [] : [path];
  }
  const path = /^[^:]*:(?:[0-3]:)?([^:]+)$/s.exec(outline)?.[1];
  return path === undefined || path.startsWith('//') ? [] : [path];
}
