import type { CommandConcern, CommandWord } from '@countersign/protocol';
import {
  type Grammar,
  hasOption,
  mayBeSplit,
  names,
  optionValues,
  readArguments,
  type Token,
} from '../words/options.js';
import { escape, unknownWords } from '../words/word.js';
import { areFixed, code, command, NEUTRAL, opaque, PLAIN, type Reading } from './reading.js';

// Programs that give their arguments, or one of them, to a shell.

type Reader = (words: readonly CommandWord[]) => Reading;

export const CODE_WRAPPERS: { readonly [name: string]: Reader } = {
  eval: (words) => {
    const parts = words.slice(words[1]?.text === '--' ? 2 : 1);
    if (parts.length === 0) return NEUTRAL;
    return areFixed(parts)
      ? { ...NEUTRAL, runs: [code(parts)] }
      : opaque('what is evaluated is not known', [code(parts)]);
  },

  trap: (words) => {
    const parts = words.slice(words[1]?.text === '--' ? 2 : 1);
    const [action] = parts;
    // `trap` and `trap -p` list, `trap - EXIT` and `trap EXIT` reset, `trap '' INT` ignores.
    if (action === undefined || (parts.length === 1 && action.count === 'one')) return NEUTRAL;
    if (action.text === '' || action.text === '-') return NEUTRAL;
    if (action.text !== null) return { ...NEUTRAL, runs: [code([action])] };
    return opaque('what the trap would run is not known', [code([action])]);
  },

  /** The value becomes code wherever the name is used as a command. */
  alias: (words) => {
    const set = words.slice(1).filter(({ text, outline }) => text === null || outline.includes('='));
    const concerns = set.map((word) => escape(word, 'changes what a name runs'));
    const values = set.map((word) => ({
      ...word,
      outline: word.outline.slice(word.outline.indexOf('=') + 1),
    }));
    return { ...PLAIN, concerns, runs: values.map((value) => code([value])) };
  },

  mapfile: readCallback,
  readarray: readCallback,
  compgen: readCallback,
  complete: readCallback,

  /** `sg group command`: the last word is for a shell. */
  sg: (words) =>
    opaque(
      'what it runs is not known',
      words.slice(2).map((word) => code([word])),
    ),

  su: (words) => readCodeOption(words, SU),
  runuser: (words) => readCodeOption(words, { ...SU, valued: `${SU.valued}u` }),
  script: (words) => readCodeOption(words, SCRIPT),
  watch: (words) => readRest(words, WATCH),
  flock: readFlock,
  parallel: readParallel,
};

const CALLBACK: Grammar = { valued: 'dnOsuCcAoGWFXPS' };

/** The value of `-C` is run, with words added to it. */
function readCallback(words: readonly CommandWord[]): Reading {
  const given = optionValues(readArguments(words, CALLBACK), /^-C$/);
  return { ...PLAIN, runs: given.map((value) => code([value, unknownWords(value.span)])) };
}

/** With an option that is in neither list it is not known where the command begins. */
type Options = {
  readonly flags: string;
  readonly valued: string;
  readonly attached?: string;
  readonly longFlags: readonly string[];
  readonly longValued: readonly string[];
  readonly stopsAtOperand?: true;
};

const SU: Options = {
  flags: 'flmpPT',
  valued: 'cgGsw',
  longFlags: names('fast login preserve-environment pty no-pty'),
  longValued: names('command session-command user group supp-group shell whitelist-environment'),
};
const SCRIPT: Options = {
  flags: 'aefq',
  valued: 'cEIOBTmo',
  attached: 't',
  longFlags: names('append return flush force quiet timing'),
  longValued: names('command echo log-in log-out log-io log-timing logging-format output-limit'),
};
const WATCH: Options = {
  flags: 'bcdeghprtwxC',
  valued: 'nq',
  longFlags: names('beep color no-color differences errexit chgexit precise no-rerun no-title no-wrap exec'),
  longValued: names('interval equexit'),
  stopsAtOperand: true,
};
const FLOCK: Options = {
  flags: 'eFnosuvx',
  valued: 'wE',
  longFlags: names('exclusive no-fork nonblock nb close shared unlock verbose'),
  longValued: names('wait timeout conflict-exit-code'),
  stopsAtOperand: true,
};
const PARALLEL: Options = {
  flags: '0kmqrtuvX',
  valued: 'jNPCIadELns',
  longFlags: names(
    'null keep-order xargs quote no-run-if-empty verbose ungroup line-buffer bar progress eta dry-run will-cite',
  ),
  longValued: names('jobs max-procs max-args colsep arg-file delimiter joblog results timeout retries delay'),
  stopsAtOperand: true,
};

/** The value of `-c` is code; without it a shell is started. What follows a first operand may be a command (script of BSD, runuser). */
function readCodeOption(words: readonly CommandWord[], options: Options): Reading {
  const tokens = readKnown(words, options);
  if (tokens === null) return notKnown(words);
  const [text] = optionValues(tokens, /^-c$|^--(?:com|sess)/);
  if (text !== undefined) return ownCode([text]);
  const operands = tokens.flatMap((token) =>
    token.type === 'operand' && token.word.text !== '-' ? [token.index] : [],
  );
  const [program] = words;
  const concerns: CommandConcern[] =
    program === undefined
      ? []
      : [{ type: 'code', why: 'starts a shell that reads its input', span: program.span }];
  return { ...PLAIN, concerns, runs: operands.slice(0, 2).map((index) => command(words.slice(index))) };
}

/** Everything after the options is one text for the shell, or with `-x` a command. */
function readRest(words: readonly CommandWord[], options: Options): Reading {
  const tokens = readKnown(words, options);
  if (tokens === null) return notKnown(words);
  const first = tokens.find(({ type }) => type === 'operand');
  if (first === undefined) return PLAIN;
  const rest = words.slice(first.index);
  return hasOption(tokens, /^(?:-x|--exec)$/) ? { ...PLAIN, runs: [command(rest)] } : ownCode(rest);
}

function readFlock(words: readonly CommandWord[]): Reading {
  const tokens = readKnown(words, FLOCK);
  const file = tokens?.find(({ type }) => type === 'operand');
  if (tokens === null) return notKnown(words);
  const rest = file === undefined ? [] : words.slice(file.index + 1);
  if (/^(?:-c|--command)$/.test(rest[0]?.text ?? '')) return ownCode(rest.slice(1, 2));
  return rest.length === 0 ? PLAIN : { ...PLAIN, runs: [command(rest)] };
}

/** What it reads, or is given after `:::`, becomes part of the code, or is the code. */
function readParallel(words: readonly CommandWord[]): Reading {
  const tokens = readKnown(words, PARALLEL);
  if (tokens === null) return notKnown(words);
  const first = tokens.find(({ type }) => type === 'operand');
  const rest = first === undefined ? [] : words.slice(first.index);
  const end = rest.findIndex(({ text }) => text?.startsWith(':::'));
  const called = end === -1 ? rest : rest.slice(0, end);
  if (called.length > 0) return { ...PLAIN, runs: [code(called, 'posix')] };
  const given = rest.slice(1).map((word) => code([word]));
  return opaque('what it runs is read from its input', given);
}

function readKnown(words: readonly CommandWord[], options: Options): readonly Token[] | null {
  const { flags, valued, attached = '', longFlags, longValued, stopsAtOperand } = options;
  const grammar = { valued, attached, valuedLong: longValued };
  const tokens = readArguments(words, stopsAtOperand ? { ...grammar, stopsAtOperand } : grammar);
  const isKnown = (token: Token): boolean => {
    if (token.type !== 'option' || mayBeSplit(token)) return token.type === 'operand';
    if (!token.name.startsWith('--')) return `${flags}${valued}${attached}`.includes(token.name.slice(1));
    return [...longFlags, ...longValued].some((name) => `--${name}`.startsWith(token.name));
  };
  return tokens.every(isKnown) ? tokens : null;
}

/** Whatever could be the command is shown to the rules that deny. */
const notKnown = (words: readonly CommandWord[]): Reading =>
  opaque(
    'what it runs is not known',
    words.slice(1).flatMap((word, index) => [command(words.slice(index + 1)), code([word])]),
  );

/** Given to the person's shell, or to `sh`. */
const ownCode = (words: readonly CommandWord[]): Reading =>
  areFixed(words)
    ? { ...PLAIN, runs: [code(words, 'posix')] }
    : opaque('what it runs is not known', [code(words)]);
