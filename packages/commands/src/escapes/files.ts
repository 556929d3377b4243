import type { CommandConcern } from '@countersign/protocol';
import { type Grammar, names, readArguments } from '../words/options.js';
import { escape } from '../words/word.js';
import {
  byOptions,
  byPatterns,
  DELETES_FILES,
  type EscapeFinder,
  escapeOptions,
  HARMLESS,
  LOADS_CODE,
  NAMES_FROM_FILE,
  OTHER_CONFIGURATION,
  OTHER_PLACE,
  optionEscapes,
  RUNS_PROGRAM,
  unknownEscapes,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that look for files, pack them or sort what is in them.

const FIND_ACTIONS = escapeOptions({
  [DELETES_FILES]: '-delete',
  [WRITES_FILE]: '-fprint -fprint0 -fprintf -fls',
  [NAMES_FROM_FILE]: '-files0-from',
  [OTHER_PLACE]: '-execdir -okdir',
});

/** What `-exec` runs is a command of its own; the words of that command are no actions. */
export const findEscapes: EscapeFinder = (words) => {
  const concerns: CommandConcern[] = [];
  let isCalled = false;
  for (const word of words.slice(1)) {
    if (isCalled) {
      if (word.text === ';' || word.text === '+') isCalled = false;
      continue;
    }
    const why = FIND_ACTIONS.get(word.text ?? '') ?? null;
    if (why !== null) concerns.push(escape(word, why));
    else if (word.text === null && (word.leading === '' || word.leading.startsWith('-'))) {
      concerns.push(escape(word, `may be an action: ${word.source}`));
    }
    isCalled = /^-(?:exec|execdir|ok|okdir)$/.test(word.text ?? '');
  }
  return concerns;
};

export const fdEscapes: EscapeFinder = byOptions(
  { [OTHER_PLACE]: '-C --base-directory' },
  { valued: 'dteESojcxXC' },
);

/** A minus inside an option of unzip takes back the letter after it: `-l-l` unpacks. */
export const unzipEscapes = byPatterns([[/^-(?:.*-|\w*T)/, WRITES_FILE]]);

const TAR: Grammar = {
  valued: 'fbCgIKLNTVXFH',
  valuedLong: names(
    'file directory exclude exclude-from files-from transform strip-components owner group mode mtime',
  ),
};
const TAR_ESCAPES = escapeOptions({
  [HARMLESS]: '--checkpoint --list --file',
  [RUNS_PROGRAM]:
    '-I -F --checkpoint-action --to-command --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command',
  [WRITES_FILE]: '-g --index-file --volno-file --listed-incremental',
  'writes outside the current folder': '-P --absolute-names',
  'reads options from a file': '-T --files-from',
  [DELETES_FILES]: '--remove-files',
});

export const tarEscapes: EscapeFinder = (words) => {
  const [, first] = words;
  // `tar xIf program archive`: the first word is a cluster without a dash, whose values follow it.
  const isOldStyle = first !== undefined && /^[A-Za-z]/.test(first.leading);
  const bundled = isOldStyle ? Array.from(first.leading, (letter) => `-${letter}`) : [];
  const tokens = readArguments(words, TAR, isOldStyle ? 2 : 1);
  const archives = [
    ...tokens.flatMap((token) =>
      token.type === 'option' && /^(?:-f|--file)$/.test(token.name) ? [token.value] : [],
    ),
    ...(bundled.includes('-f') ? words.slice(2, 3) : []),
  ];
  return [
    ...bundled.flatMap((name) => {
      const why = TAR_ESCAPES.get(name) ?? null;
      return first === undefined || why === null ? [] : [escape(first, why)];
    }),
    ...optionEscapes(tokens, TAR_ESCAPES),
    ...unknownEscapes(tokens),
    // `host:file` is fetched by a remote shell.
    ...archives.flatMap((archive) =>
      archive !== null && archive !== undefined && /^[^/]*:/.test(archive.leading)
        ? [escape(archive, RUNS_PROGRAM)]
        : [],
    ),
  ];
};

const RSYNC_ESCAPES = escapeOptions({
  [HARMLESS]: '--backup',
  [RUNS_PROGRAM]: '-e --rsh --rsync-path -M --remote-option --daemon',
  [OTHER_CONFIGURATION]: '--config',
  [WRITES_FILE]: '--log-file --write-batch --only-write-batch --backup-dir',
  [DELETES_FILES]: '--remove-source-files',
});

export const rsyncEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'eMTfB@',
    valuedLong: names('exclude include filter rsh rsync-path'),
  });
  return [...optionEscapes(tokens, RSYNC_ESCAPES), ...unknownEscapes(tokens)];
};

export const sortEscapes = byOptions(
  {
    [WRITES_FILE]: '-o --output',
    [RUNS_PROGRAM]: '--compress-program',
    [NAMES_FROM_FILE]: '--files0-from',
  },
  {
    valued: 'ktSTo',
    valuedLong: names(
      'key field-separator buffer-size temporary-directory output batch-size compress-program parallel files0-from random-source sort',
    ),
  },
);

/** `wc` and `du` read any file that is named in the one they are given. */
export const namesFromFileEscapes = byOptions(
  { [NAMES_FROM_FILE]: '--files0-from' },
  { valuedLong: names('files0-from') },
);

/** `md5sum -c` opens every file that the one it is given lists. */
export const checksumEscapes = byOptions({ [NAMES_FROM_FILE]: '-c --check' });

/** `@file` stands for the arguments in that file, in programs of GNU binutils and in compilers. */
export const responseFileEscapes: EscapeFinder = (words) =>
  words
    .slice(1)
    .filter(({ outline }) => outline.startsWith('@'))
    .map((word) => escape(word, NAMES_FROM_FILE));

export const splitEscapes = byOptions({ [RUNS_PROGRAM]: '--filter' });

export const rgEscapes = byOptions(
  { [RUNS_PROGRAM]: '--pre --hostname-bin -z --search-zip' },
  { valued: 'ABCEMefgjmrtTd' },
);

/** `uniq in out` writes the second. */
export const uniqEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'fsw',
    valuedLong: names('skip-fields skip-chars check-chars'),
  });
  const files = tokens.filter(({ type, word }) => type !== 'option' && !/^\+\d/.test(word.leading));
  const [, output] = files;
  return output === undefined ? [] : [escape(output.word, WRITES_FILE)];
};

export const zipEscapes = byPatterns([
  [/^-\w*TT|^--unz/, RUNS_PROGRAM],
  [/^-[A-Za-z]*m|^--mov/, DELETES_FILES],
  [/^-[A-Za-z]*O|^--out|^-l[fa]$|^--log/, WRITES_FILE],
]);

export const lessEscapes = byPatterns([
  [/^\+/, RUNS_PROGRAM],
  [/^-[a-zA-Z]*[oO]|^--log-file|^--LOG-FILE/, WRITES_FILE],
  [/^-[a-zA-Z]*k|^--lesskey/, LOADS_CODE],
]);
