import { readArguments } from '../options.js';
import type { Concern } from '../unit.js';
import type { Word } from '../word.js';
import { areFixed, code, command, NEUTRAL, opaque, PLAIN, type Reading } from './reading.js';

/** Programs that give their arguments, or one of them, to a shell. */
export const CODE_WRAPPERS: { readonly [name: string]: (words: readonly Word[]) => Reading } = {
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
    if (action === undefined || parts.length === 1 || action.text === '' || action.text === '-')
      return NEUTRAL;
    if (action.text !== null) return { ...NEUTRAL, runs: [code([action])] };
    return opaque('what the trap would run is not known', [code([action])]);
  },

  /** The value becomes code wherever the name is used as a command. */
  alias: (words) => ({
    ...PLAIN,
    concerns: words
      .slice(1)
      .filter(({ leading, text }) => text === null || leading.includes('='))
      .map((word) => escape(word, 'changes what a name runs')),
    runs: words
      .slice(1)
      .flatMap((word) =>
        word.outline.includes('=')
          ? [code([{ ...word, outline: word.outline.slice(word.outline.indexOf('=') + 1) }])]
          : [],
      ),
  }),

  watch: (words) => {
    const grammar = { valued: 'nq', valuedLong: ['interval', 'equexit'], stopsAtOperand: true } as const;
    return readRest(words, grammar, ['-x', '--exec']);
  },

  su: (words) =>
    readCodeOption(
      words,
      {
        valued: 'cgGsTwC',
        valuedLong: ['command', 'session-command', 'group', 'supp-group', 'shell', 'whitelist-environment'],
      },
      ['-c', '--command', '--session-command'],
    ),
  runuser: (words) => {
    const grammar = {
      valued: 'ucgGsTw',
      valuedLong: ['user', 'command', 'session-command', 'group', 'supp-group', 'shell'],
      stopsAtOperand: true,
    } as const;
    const read = readCodeOption(words, { ...grammar }, ['-c', '--command', '--session-command']);
    const operand = readArguments(words, grammar).find(({ type }) => type === 'operand');
    return read.runs.length > 0 || operand === undefined
      ? read
      : { ...PLAIN, runs: [command(words.slice(operand.index))] };
  },
  script: (words) =>
    readCodeOption(
      words,
      {
        valued: 'cEIOBTtm',
        valuedLong: [
          'command',
          'echo',
          'log-in',
          'log-out',
          'log-io',
          'log-timing',
          'logging-format',
          'output-limit',
        ],
      },
      ['-c', '--command'],
    ),

  flock: (words) => {
    const grammar = {
      valued: 'wEc',
      valuedLong: ['wait', 'timeout', 'conflict-exit-code', 'command'],
      stopsAtOperand: true,
    } as const;
    const tokens = readArguments(words, grammar);
    const file = tokens.find(({ type }) => type === 'operand');
    if (file === undefined || tokens.some(({ type }) => type === 'unknown'))
      return opaque('what it runs is not known', [command(words.slice(2)), command(words.slice(3))]);
    const rest = words.slice(file.index + 1);
    if (rest[0]?.text === '-c' || rest[0]?.text === '--command') return ownCode(rest.slice(1, 2));
    return rest.length === 0 ? PLAIN : { ...PLAIN, runs: [command(rest)] };
  },

  parallel: (words) => {
    const grammar = {
      valued: 'jNPSCIadELns',
      valuedLong: [
        'jobs',
        'max-procs',
        'max-args',
        'colsep',
        'arg-file',
        'delimiter',
        'sshlogin',
        'joblog',
        'results',
        'timeout',
        'retries',
        'delay',
        'tmpdir',
        'workdir',
      ],
      stopsAtOperand: true,
    } as const;
    const [first] = readArguments(words, grammar).filter(({ type }) => type === 'operand');
    const rest = first === undefined ? [] : words.slice(first.index);
    const end = rest.findIndex(({ text }) => text?.startsWith(':::'));
    const called = end === -1 ? rest : rest.slice(0, end);
    if (called.length > 0) return { ...PLAIN, runs: [code(called)] };
    return opaque(
      'what it runs is read from its input',
      rest.map((word) => code([word])),
    );
  },
};

type Options = Parameters<typeof readArguments>[1];

/** Everything after the options is one text for the shell, or with one of `asWords` a command. */
function readRest(words: readonly Word[], grammar: Options, asWords: readonly string[]): Reading {
  const tokens = readArguments(words, grammar);
  const first = tokens.find(({ type }) => type === 'operand');
  if (tokens.some(({ type }) => type === 'unknown'))
    return opaque('what it runs is not known', [code(words.slice(2))]);
  if (first === undefined) return PLAIN;
  const rest = words.slice(first.index);
  const isCommand = tokens.some((token) => token.type === 'option' && asWords.includes(token.name));
  return isCommand ? { ...PLAIN, runs: [command(rest)] } : ownCode(rest);
}

/** The value of one option is code; without it a shell is started. */
function readCodeOption(words: readonly Word[], grammar: Options, names: readonly string[]): Reading {
  for (const token of readArguments(words, grammar)) {
    if (token.type === 'unknown')
      return opaque('what it runs is not known', [code(words.slice(token.index + 1))]);
    if (
      token.type === 'option' &&
      names.some((name) => name.startsWith(token.name)) &&
      token.value !== null
    ) {
      return ownCode([token.value]);
    }
  }
  const [program] = words;
  const concern: Concern[] =
    program === undefined
      ? []
      : [{ type: 'code', why: 'starts a shell that reads its input', span: program.span }];
  return { ...PLAIN, concerns: concern };
}

const ownCode = (words: readonly Word[]): Reading =>
  areFixed(words) ? { ...PLAIN, runs: [code(words)] } : opaque('what it runs is not known', [code(words)]);

const escape = (word: Word, why: string): Concern => ({
  type: 'escape',
  word: word.text,
  why,
  span: word.span,
});
