import { names, readArguments } from '../words/options.js';
import { escape } from '../words/word.js';
import {
  byOptions,
  type EscapeFinder,
  escapeOptions,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that print facts about files or the time, and are allowed for that.

const SETS_CLOCK = 'sets the clock';
const SHOWS_ANOTHER = 'shows what is in another file';

export const treeEscapes = byOptions({ [WRITES_FILE]: '-o -R' }, { valued: 'LPIoHT' });

/** `file -f` complains about names that it does not find, and so shows the file it was to take them from. */
export const fileEscapes = byOptions(
  {
    [WRITES_FILE]: '-C --compile',
    [RUNS_PROGRAM]: '-z -Z --uncompress --uncompress-noreport',
    [OTHER_CONFIGURATION]: '-m --magic-file',
    [SHOWS_ANOTHER]: '-f --files-from',
  },
  { valued: 'efFmP' },
);

const DATE_ESCAPES = escapeOptions({ [SETS_CLOCK]: '-s --set', [SHOWS_ANOTHER]: '-f --file' });

/** `date -f` shows what is no date, and a word that is no format is the time to set. */
export const dateEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'dfrs',
    attached: 'I',
    valuedLong: names('date file reference set'),
  });
  const times = tokens.filter(({ type, word }) => type !== 'option' && !word.leading.startsWith('+'));
  const compared = tokens.filter(
    (token) => token.type === 'option' && /^(?:-r|--r\w*)$/.test(token.name) && token.value?.text === null,
  );
  return [
    ...optionEscapes(tokens, DATE_ESCAPES),
    ...times.map(({ word }) => escape(word, SETS_CLOCK)),
    ...compared.map(({ word }) => escape(word, 'reads a file that is known only when it runs')),
  ];
};
