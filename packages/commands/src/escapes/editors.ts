import { readArguments } from '../words/options.js';
import { escape } from '../words/word.js';
import {
  type EscapeFinder,
  escapeOptions,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

const VIM_ESCAPES = escapeOptions({
  [RUNS_PROGRAM]: '-c --cmd --remote-send --remote-expr',
  [LOADS_CODE]: '-S -s -e -E -l',
  [OTHER_CONFIGURATION]: '-u -U -i',
  [WRITES_FILE]: '-w -W -V --startuptime',
});

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
