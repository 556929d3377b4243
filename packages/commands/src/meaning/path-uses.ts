import { baseName } from '@countersign/kernel';
import type { CommandAnalysis, CommandUnit, CommandWord, WordValue } from '@countersign/protocol';
import { awkProgramFiles } from '../escapes/awk-program.js';
import { jqWords } from '../escapes/jq.js';
import { type NamedFile, sedScriptFiles } from '../escapes/sed-script.js';
import { awkProgram, sedProgram } from '../escapes/text-programs.js';
import { isAbbreviated, optionValues, readArguments, type Token } from '../words/options.js';
import { mayBeOption } from '../words/word.js';
import { XARGS } from '../wrappers/argument-wrappers.js';
import { embeddedPaths } from './embedded-paths.js';
import { type FileArguments, fileArgumentsOf } from './file-arguments.js';
import { gitUses, pathsInRevision } from './git-paths.js';
import { mayWrite, replacedBy } from './may-write.js';
import { type PathWords, pathWords } from './path-words.js';
import { looksOnly } from './read-only.js';
import { findFollowsLinks, type Search, searchOf } from './searches.js';
import { beginsHere, goesBelow, type Touch, touchOf } from './touches.js';
import { writesItsFiles } from './writers.js';

/** One path that a command line names. */
export type PathUse = {
  /** As written from where the command runs; a `~` or `~name` at its start is a home folder. */
  readonly path: string;
  readonly access: 'reads' | 'writes';
  /**
   * `path`: the program takes it for one, so that it counts where it is missing, too. `perhaps`: it may as well be
   * something else, and counts if there is such a file. `looked up`: the names that a pattern stands for are printed.
   */
  readonly as: 'path' | 'perhaps' | 'looked up';
  /** Whether bash puts the names of files in its place. */
  readonly isPattern: boolean;
  /** Whether the program shows what is in a file, or that it is there and how large it is. */
  readonly reveals: 'content' | 'names';
  /** Whether what lies below it is read as well, and how; null if not. */
  readonly search: Search | null;
  /** Whether the program, though not known to change it, is not known to only look either. */
  readonly mayWrite: boolean;
  /** Whether what was there before gives way to what the command brings. */
  readonly replaces: boolean;
  /** What the program does to it, as far as that is known of the program. */
  readonly touch: Touch;
  /** Whether it also touches or lists what lies below it. */
  readonly below: boolean;
  /** Of a target that may be a folder: the names that are put into it. */
  readonly into: readonly string[];
  /** It counts only if none of these is there. */
  readonly unless: readonly string[];
};

/** Before it is known which program uses it. */
type NamedPath = Omit<PathUse, 'mayWrite' | 'replaces' | 'touch' | 'below' | 'into' | 'unless'>;

const PRINT_NAMES = /^(?:ls|stat|du|df|tree|realpath|readlink|which|file)$/;

/** Every path that is spelled out in a command line, or in the programs for sed and awk that it holds. */
export function pathUses(analysis: CommandAnalysis): readonly PathUse[] {
  const reader = pathWords(analysis);
  return analysis.units.flatMap((unit) => {
    const replaced = replacedBy(unit, reader);
    const given = argumentUses(unit, reader);
    const goesOn = goesBelow(unit);
    const names = given.map(({ path }) => path.replace(/\/+$/, '').replace(/^.*\//s, ''));
    return [
      ...redirectUses(unit, reader).map((use) => ({
        ...use,
        ...ALONE,
        replaces: use.access === 'writes',
        touch: use.access,
      })),
      ...given.map((use): PathUse => {
        const isTarget = replaced.includes(use.path);
        return {
          ...use,
          mayWrite: mayWrite(unit, use.path),
          replaces: isTarget,
          touch: touchOf(unit, { ...use, isTarget }),
          // What is put into a folder leaves the rest of it as it is.
          below: goesOn && !isTarget,
          into: isTarget ? names : [],
          unless: [],
        };
      }),
      ...(beginsHere(unit) ? rootUses(unit, given) : []),
      ...embeddedPaths(unit).map((path) => ({
        ...fixed(path, 'reads'),
        ...ALONE,
        mayWrite: true,
        touch: 'both' as const,
      })),
    ];
  });
}

const ALONE = { mayWrite: false, replaces: false, below: false, into: [], unless: [] } as const;

/** The folder where it runs, for a program that goes through it unless it is given another. */
function rootUses(unit: CommandUnit, given: readonly NamedPath[]): PathUse[] {
  if (given.some(({ as }) => as === 'path') && unit.program !== 'git') return [];
  const isGit = baseName(unit.program ?? '') === 'git';
  // The pattern of `git grep` comes first, and what follows may be a revision.
  const unless = isGit ? given.slice(1).map(({ path }) => path) : [];
  const touch = touchOf(unit, { path: '.', access: 'reads', isTarget: false });
  return [{ ...here(null), ...ALONE, touch, below: true, unless }];
}

function redirectUses({ redirects }: CommandUnit, reader: PathWords): NamedPath[] {
  return redirects.flatMap(({ effect, target }) =>
    target === null || effect === 'none' || effect === 'network'
      ? []
      : used(target, reader, { access: effect, as: 'path' }),
  );
}

function argumentUses(unit: CommandUnit, reader: PathWords): NamedPath[] {
  const { words, role } = unit;
  const name = baseName(unit.program ?? '');
  if (name === 'xargs') return xargsUses(words, reader);
  // What `find -exec` runs is judged on its own; where it looks is not.
  if (name === 'find') return findUses(words, reader);
  if (role.type === 'neutral') return [];
  const looks = looksOnly(words);
  // What is only printed is no path, but the names that a pattern stands for are looked up.
  if (role.type === 'command' && looks === 'at-nothing' && name !== 'date')
    return words
      .slice(1)
      .filter(isPattern)
      .flatMap((word) => used(word, reader, { access: 'reads', as: 'looked up' }));
  const access = writesItsFiles(name, words) ? 'writes' : 'reads';
  if (name === 'git')
    return gitUses(words).flatMap((use) => [
      ...used(use.word, reader, { access, ...use }),
      ...pathsInRevision(use.word).map((path) => fixed(path, access)),
    ]);
  if (name === 'jq') return jqUses(words, reader);
  const named = embeddedProgram(name, words).files.map(fromText);
  const as = looks === 'at-files' || access === 'writes' ? 'path' : 'perhaps';
  return [...named, ...plainUses(unit, reader, { name, access, as })];
}

/** The arguments of most programs: options with values, then files, perhaps after a pattern. */
function plainUses(
  { words }: CommandUnit,
  reader: PathWords,
  { name, access, as }: Pick<PathUse, 'access' | 'as'> & { readonly name: string },
): NamedPath[] {
  const known = fileArgumentsOf(name);
  const { text = 0, textBy = [] } = known;
  const tokens = readArguments(words, known);
  const isGiven = tokens.some((token) => token.type === 'option' && isOneOf(token.name, textBy));
  const script = embeddedProgram(name, words).operand;
  const search = searchOf(name, tokens);
  let left = isGiven ? 0 : text;
  const uses = tokens.flatMap((token): NamedPath[] => {
    if (token.type === 'option') return optionUses(token, known, reader, access);
    if (token.index === script) return used(token.word, reader, { access, as: 'perhaps' });
    if (left > 0) {
      left -= 1;
      // A set of characters is never a file; a pattern may be one by mistake.
      return text === Number.POSITIVE_INFINITY ? [] : used(token.word, reader, { access, as: 'perhaps' });
    }
    return used(token.word, reader, {
      access,
      as,
      search,
      reveals: PRINT_NAMES.test(name) ? 'names' : 'content',
    });
  });
  const isRooted = uses.some((use) => use.search !== null);
  return search !== null && !isRooted && search.fromHere ? [...uses, here(search)] : uses;
}

const here = (search: Search | null): NamedPath => ({ ...fixed('.', 'reads'), as: 'path', search });

/** The value of an option that is known to be a file; of others whatever may be one, wherever it begins in the word. */
function optionUses(
  token: Extract<Token, { type: 'option' }>,
  { files = [], ...grammar }: FileArguments,
  reader: PathWords,
  access: PathUse['access'],
): NamedPath[] {
  const { name, value, word } = token;
  if (value !== null && isOneOf(name, files)) return used(value, reader, { access, as: 'path' });
  if (value !== null && isDeclared(name, grammar)) return [];
  const { outline } = word;
  // Where the short options with values are listed, the others have none.
  if (/^-[A-Za-z]{1,3}$/.test(outline) || (!outline.startsWith('--') && grammar.valued !== undefined))
    return [];
  if (outline.startsWith('--')) {
    const sign = outline.indexOf('=');
    return sign === -1 ? [] : [fixed(outline.slice(sign + 1), access)];
  }
  // Of a cluster each letter could be the one that takes the rest as its value; its first token stands for all of them.
  const at = outline.indexOf(name.slice(1)) + 1;
  const rest = outline.slice(at);
  return rest === '' || rest === outline ? [] : [fixed(rest, access)];
}

const fixed = (path: string, access: PathUse['access']): NamedPath => ({
  path,
  access,
  as: 'perhaps',
  isPattern: false,
  reveals: 'content',
  search: null,
});

/** Whether the value of an option is known to be no file. */
const isDeclared = (option: string, { valued = '', valuedLong = [] }: FileArguments): boolean =>
  option.startsWith('--') ? isAbbreviated(option, valuedLong) : valued.includes(option.slice(1));

const isOneOf = (option: string, list: readonly string[]): boolean =>
  list.includes(option) ||
  (option.startsWith('--') &&
    isAbbreviated(
      option,
      list.filter((each) => each.startsWith('--')).map((each) => each.slice(2)),
    ));

/** `-a file` of xargs, which prints or hands on what is in it. */
function xargsUses(words: readonly CommandWord[], reader: PathWords): NamedPath[] {
  return optionValues(readArguments(words, XARGS), /^(?:-a|--a.*)$/).flatMap((word) =>
    used(word, reader, { access: 'reads', as: 'path' }),
  );
}

function jqUses(words: readonly CommandWord[], reader: PathWords): NamedPath[] {
  const { files, options } = jqWords(words);
  return [
    ...files.flatMap((word) => used(word, reader, { access: 'reads', as: 'path' })),
    ...options.flatMap(({ outline }) => {
      const value = /^-[a-zA-Z]*[fL](.+)$/s.exec(outline)?.[1] ?? /^--[\w-]+=(.+)$/s.exec(outline)?.[1];
      return value === undefined ? [] : [fixed(value, 'reads')];
    }),
  ];
}

/** Where `find` begins comes first; what follows are tests, of which some name a file to compare with. */
function findUses(words: readonly CommandWord[], reader: PathWords): NamedPath[] {
  const search: Search | null = findFollowsLinks(words)
    ? { links: true, hidden: true, shows: 'names' }
    : null;
  let isStart = true;
  const uses = words.slice(1).flatMap((word, index): NamedPath[] => {
    const text = word.text ?? word.leading;
    if (/^(?:-[HLP]+|-D|-O\d*)$/.test(text)) return [];
    if (/^[-(!,)]/.test(text)) isStart = false;
    if (mayBeOption(word) && word.text !== null) return [];
    const isCompared = /^-(?:newer..|newer|anewer|cnewer|samefile)$/.test(words[index]?.text ?? '');
    const as = isStart || isCompared ? 'path' : 'perhaps';
    return used(word, reader, { access: 'reads', as, search: isStart ? search : null });
  });
  const isRooted = uses.some((use) => use.search !== null);
  return search === null || isRooted ? uses : [...uses, here(search)];
}

/** The program for sed or awk among the words: the files that it names, and which word it is unless an option gives it. */
function embeddedProgram(
  name: string,
  words: readonly CommandWord[],
): { readonly files: readonly NamedFile[]; readonly operand: number | null } {
  const isSed = /^g?sed$/.test(name);
  if (!isSed && !/^[gmn]?awk$/.test(name)) return { files: [], operand: null };
  const { scripts, operand } = isSed ? sedProgram(words) : awkProgram(words);
  const text = scripts.map(({ outline }) => outline).join('\n');
  return { files: isSed ? sedScriptFiles(text) : awkProgramFiles(text), operand };
}

/** In the text of a program a `~` is an ordinary character. */
const fromText = ({ path, access }: NamedFile): NamedPath => ({
  ...fixed(path.startsWith('~') ? `./${path}` : path, access),
  as: 'path',
});

type Use = Pick<PathUse, 'access' | 'as'> & Partial<Pick<PathUse, 'search' | 'reveals'>>;

function used(
  word: CommandWord,
  { isSpelledOut, pathIn }: PathWords,
  { access, as, search = null, reveals = 'content' }: Use,
): NamedPath[] {
  if (word.values !== undefined)
    return word.values.map((value) => ({
      path: value.path,
      access,
      as,
      isPattern: value.type === 'pattern',
      reveals,
      search: value.type === 'below' ? listed(value, reveals) : search,
    }));
  const path = isSpelledOut(word) ? pathIn(word) : null;
  // `dd if=… of=…`
  return path === null
    ? []
    : [{ path: path.replace(/^(?:if|of)=/, ''), access, as, isPattern: isPattern(word), reveals, search }];
}

/** Reads every file that a listing names, so also through links. */
const listed = (
  { name, hidden, splits }: Extract<WordValue, { type: 'below' }>,
  shows: PathUse['reveals'],
): Search => ({ links: true, hidden, shows, names: { pattern: name, splits } });

/** Whether bash would look for files that match: nothing of it is quoted as a whole. */
const isPattern = ({ text, outline }: CommandWord): boolean => text === null && /[*?[]|[@+!]\(/.test(outline);
