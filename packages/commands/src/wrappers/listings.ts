import type { CommandWord, WordValue } from '@countersign/protocol';
import type { CommandNode, Script } from '../parse/bash.js';
import { readWord } from '../parse/read-word.js';
import { type Grammar, names, readArguments } from '../words/options.js';

/** What a command prints, where that is names of files below known folders and nothing else. */
export type Listing = readonly Extract<WordValue, { type: 'below' }>[];

/** What `$(…)` prints. */
export function listingOfScript(script: Script | undefined): Listing | null {
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0 || script?.errors?.length) return null;
  const { command } = statement;
  if (command.type === 'AndOr') return null;
  const stages = command.type === 'Pipeline' ? command.commands : [command];
  let listing: Listing | null = null;
  for (const [index, stage] of stages.entries()) {
    if (index > 0 && listing === null) return null;
    listing = listingOf(stage, listing);
  }
  return listing;
}

/** What a stage of a pipeline prints, given what the stage before it printed. */
export function listingOf(stage: CommandNode, before: Listing | null): Listing | null {
  const words = plainWords(stage);
  const program = words?.[0]?.text ?? '';
  if (words === null) return null;
  if (before !== null) return Object.hasOwn(FILTERS, program) && FILTERS[program]?.(words) ? before : null;
  return Object.hasOwn(LISTERS, program) ? (LISTERS[program]?.(words) ?? null) : null;
}

/** The words of a simple command if all are fixed and it redirects no more than its errors to nowhere. */
function plainWords(node: CommandNode): readonly CommandWord[] | null {
  if (node.type !== 'Command' || node.name === undefined || node.prefix.length > 0) return null;
  const isQuiet = node.redirects.every(
    (each) =>
      each.operator === '>' && 'target' in each && each.target?.text === '/dev/null' && isErrors(each),
  );
  const words = [node.name, ...node.args].map((each) => (each.type === 'Word' ? readWord(each) : null));
  const fixed = words.filter((word) => word !== null && word.text !== null && !word.source.startsWith('~'));
  return isQuiet && fixed.length === words.length ? fixed.filter((word) => word !== null) : null;
}

const isErrors = ({ descriptor }: { readonly descriptor?: unknown }): boolean =>
  typeof descriptor === 'object' && descriptor !== null && 'text' in descriptor && descriptor.text === '2';

const below = (path: string, name: string | null = null): Listing[number] => ({
  type: 'below',
  path,
  name,
  hidden: true,
  splits: true,
});

const LISTERS: { readonly [program: string]: (words: readonly CommandWord[]) => Listing | null } = {
  find: (words) => (words.some(({ text }) => FIND_PRINTS.test(text ?? '')) ? null : findListing(words)),
  git: ([, sub, ...rest]) => {
    const isPlain = rest.every(({ text }) => GIT_LISTS.test(text ?? ''));
    return sub?.text === 'ls-files' && isPlain ? [below('.')] : null;
  },
  rg: (words) =>
    searchListing(words, RG, /^(?:-[l0iwFS]|--(?:files-with-matches|files|null|glob|type)|-[gt])$/),
  grep: (words) => searchListing(words, GREP, /^(?:-[rRlLiwEFPsIZ]|--(?:include|exclude|exclude-dir|null))$/),
};

const FIND_PRINTS = /^-(?:f?printf|fprint0?|f?ls|exec|execdir|ok|okdir|files0-from)$/;
/** Names of folders and files below, and options that only choose among them. */
const GIT_LISTS =
  /^(?:-[czmdo]|--(?:cached|others|modified|deleted|exclude-standard)|--|(?!\/|.*\.\.)[\w*][\w./*-]*)$/;

/** The folders that `find` goes through, and the names it prints of what it finds there. */
export function findListing(words: readonly CommandWord[]): Listing | null {
  const rest = words.slice(1).filter(({ text }) => !/^-[HLP]+$/.test(text ?? ''));
  const end = rest.findIndex(({ leading }) => /^[-(!,)]/.test(leading));
  const roots = end === -1 ? rest : rest.slice(0, end);
  const tests = end === -1 ? [] : rest.slice(end);
  if (roots.some(({ text, source }) => text === null || source.startsWith('~'))) return null;
  if (tests.some(({ text }) => /^-(?:files0-from|D|O\d*)$/.test(text ?? ''))) return null;
  const name = nameIn(tests);
  return roots.length === 0 ? [below('.', name)] : roots.map(({ text }) => below(text ?? '.', name));
}

/** The pattern that every name has to match; null where the tests are more than a list of conditions. */
function nameIn(tests: readonly CommandWord[]): string | null {
  if (tests.some(({ text }) => text === null || /^(?:-or?|-not|!|,|\(|\))$/.test(text))) return null;
  const at = tests.findIndex(({ text }) => text === '-name' || text === '-iname');
  return at === -1 ? null : (tests[at + 1]?.text ?? null);
}

const RG: Grammar = { valued: 'gt', valuedLong: names('glob type') };
const GREP: Grammar = { valuedLong: names('include exclude exclude-dir') };
const NAMES_ONLY = /^(?:-l|-L|--files-with-matches|--files)$/;

function searchListing(words: readonly CommandWord[], grammar: Grammar, known: RegExp): Listing | null {
  const tokens = readArguments(words, grammar);
  const options = tokens.flatMap((token) => (token.type === 'option' ? [token.name] : []));
  if (!options.some((name) => NAMES_ONLY.test(name)) || !options.every((name) => known.test(name)))
    return null;
  const operands = tokens.flatMap((token) => (token.type === 'operand' ? [token.word.text ?? ''] : []));
  const roots = operands.slice(options.includes('--files') ? 0 : 1);
  return roots.length === 0 ? [below('.')] : roots.map((root) => below(root));
}

/** Programs that leave lines out or put them in another order. */
const FILTERS: { readonly [program: string]: (words: readonly CommandWord[]) => boolean } = {
  sort: (words) => onlyOptions(words, /^-[urVzf]+$/),
  uniq: (words) => onlyOptions(words, /^-[uz]+$/),
  head: (words) => onlyOptions(words, /^(?:-n?\d*|\d+)$/),
  tail: (words) => onlyOptions(words, /^(?:-n?\d*|\d+)$/),
  grep: (words) => {
    const patterns = words.slice(1).filter(({ text }) => !/^-[viEFwxz]+$/.test(text ?? ''));
    return patterns.length === 1 && !patterns[0]?.leading.startsWith('-');
  },
};

const onlyOptions = (words: readonly CommandWord[], known: RegExp): boolean =>
  words.slice(1).every(({ text }) => known.test(text ?? ''));
