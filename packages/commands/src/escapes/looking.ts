import { names, readArguments } from '../words/options.js';
import {
  byOptions,
  type EscapeFinder,
  escape,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that tell something about files or the time, and are let pass as such.

const SETS_CLOCK = 'sets the clock';
const SHOWS_ANOTHER = 'shows what is in another file';

export const treeEscapes = byOptions({ '-o': WRITES_FILE, '-R': WRITES_FILE }, { valued: 'LPIoHT' });

/** `file -f` complains about names that it does not find, and so shows the file it was to take them from. */
export const fileEscapes = byOptions(
  {
    '-C': WRITES_FILE,
    '--compile': WRITES_FILE,
    '-z': RUNS_PROGRAM,
    '-Z': RUNS_PROGRAM,
    '--uncompress': RUNS_PROGRAM,
    '--uncompress-noreport': RUNS_PROGRAM,
    '-m': OTHER_CONFIGURATION,
    '--magic-file': OTHER_CONFIGURATION,
    '-f': SHOWS_ANOTHER,
    '--files-from': SHOWS_ANOTHER,
  },
  { valued: 'efFmP' },
);

/** `date -f` shows what is no date, and a word that is no format is the time to set. */
export const dateEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'dfrs',
    attached: 'I',
    valuedLong: names('date file reference set'),
  });
  const options = { '-s': SETS_CLOCK, '--set': SETS_CLOCK, '-f': SHOWS_ANOTHER, '--file': SHOWS_ANOTHER };
  const times = tokens.filter(({ type, word }) => type !== 'option' && !word.leading.startsWith('+'));
  const compared = tokens.filter(
    (token) => token.type === 'option' && /^(?:-r|--r\w*)$/.test(token.name) && token.value?.text === null,
  );
  return [
    ...optionEscapes(tokens, options),
    ...times.map(({ word }) => escape(word, SETS_CLOCK)),
    ...compared.map(({ word }) => escape(word, 'reads a file that is known only when it runs')),
  ];
};
