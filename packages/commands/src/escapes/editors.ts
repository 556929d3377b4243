import { readArguments } from '../words/options.js';
import {
  type EscapeFinder,
  escape,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

const VIM_ESCAPES = {
  '-c': RUNS_PROGRAM,
  '--cmd': RUNS_PROGRAM,
  '-S': LOADS_CODE,
  '-s': LOADS_CODE,
  '-e': LOADS_CODE,
  '-E': LOADS_CODE,
  '-l': LOADS_CODE,
  '-u': OTHER_CONFIGURATION,
  '-U': OTHER_CONFIGURATION,
  '-i': OTHER_CONFIGURATION,
  '-w': WRITES_FILE,
  '-W': WRITES_FILE,
  '-V': WRITES_FILE,
  '--startuptime': WRITES_FILE,
  '--remote-send': RUNS_PROGRAM,
  '--remote-expr': RUNS_PROGRAM,
} as const;

export const vimEscapes: EscapeFinder = (words, input) => {
  const tokens = readArguments(words, {
    valued: 'cSsuUiwWTt',
    attached: 'V',
    valuedLong: ['cmd', 'startuptime', 'remote-send', 'remote-expr'],
  });
  const [program] = words;
  return [
    ...optionEscapes(tokens, VIM_ESCAPES),
    // `+12` and `+/text` only move; anything else after a plus is a command.
    ...tokens.flatMap(({ type, word }) =>
      type === 'operand' && /^\+(?!\d*$|\/)/.test(word.leading) ? [escape(word, RUNS_PROGRAM)] : [],
    ),
    ...(input === 'given' && program !== undefined
      ? [escape({ ...program, text: null }, 'reads editor commands from its input')]
      : []),
  ];
};
