import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, names, readArguments } from '../words/options.js';
import {
  byOptions,
  DELETES_FILES,
  type EscapeFinder,
  type EscapeOptions,
  escape,
  LOADS_CODE,
  NAMES_FROM_FILE,
  OTHER_PLACE,
  optionEscapes,
  RUNS_PROGRAM,
  unknownEscapes,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that look for files, pack them or sort what is in them.

const FIND_ACTIONS: { readonly [action: string]: string } = {
  '-delete': DELETES_FILES,
  '-fprint': WRITES_FILE,
  '-fprint0': WRITES_FILE,
  '-fprintf': WRITES_FILE,
  '-fls': WRITES_FILE,
  '-files0-from': NAMES_FROM_FILE,
  '-execdir': OTHER_PLACE,
  '-okdir': OTHER_PLACE,
};

/** What `-exec` runs is a command of its own; the words of that command are no actions. */
export const findEscapes: EscapeFinder = (words) => {
  const concerns: CommandConcern[] = [];
  let isCalled = false;
  for (const word of words.slice(1)) {
    if (isCalled) {
      if (word.text === ';' || word.text === '+') isCalled = false;
      continue;
    }
    const why = Object.hasOwn(FIND_ACTIONS, word.text ?? '') ? FIND_ACTIONS[word.text ?? ''] : undefined;
    if (why !== undefined) concerns.push(escape(word, why));
    else if (word.text === null && (word.leading === '' || word.leading.startsWith('-'))) {
      concerns.push(escape(word, `may be an action: ${word.source}`));
    }
    isCalled = /^-(?:exec|execdir|ok|okdir)$/.test(word.text ?? '');
  }
  return concerns;
};

export const fdEscapes: EscapeFinder = byOptions(
  { '-C': OTHER_PLACE, '--base-directory': OTHER_PLACE },
  { valued: 'dteESojcxXC' },
);

/** A minus inside an option of unzip takes back the letter after it: `-l-l` unpacks. */
export const unzipEscapes: EscapeFinder = (words) =>
  words.slice(1).flatMap((word) => (/^-(?:.*-|\w*T)/.test(word.leading) ? [escape(word, WRITES_FILE)] : []));

const TAR: Grammar = {
  valued: 'fbCgIKLNTVXFH',
  valuedLong: names(
    'file directory exclude exclude-from files-from transform strip-components owner group mode mtime',
  ),
};
const TAR_ESCAPES: EscapeOptions = {
  '-I': RUNS_PROGRAM,
  '-F': RUNS_PROGRAM,
  '-g': WRITES_FILE,
  '-P': 'writes outside the current folder',
  '-T': 'reads options from a file',
  '--checkpoint': null,
  '--checkpoint-action': RUNS_PROGRAM,
  '--to-command': RUNS_PROGRAM,
  '--use-compress-program': RUNS_PROGRAM,
  '--info-script': RUNS_PROGRAM,
  '--new-volume-script': RUNS_PROGRAM,
  '--rsh-command': RUNS_PROGRAM,
  '--rmt-command': RUNS_PROGRAM,
  '--index-file': WRITES_FILE,
  '--volno-file': WRITES_FILE,
  '--list': null,
  '--listed-incremental': WRITES_FILE,
  '--file': null,
  '--files-from': 'reads options from a file',
  '--absolute-names': 'writes outside the current folder',
  '--remove-files': DELETES_FILES,
};

export const tarEscapes: EscapeFinder = (words) => {
  const [, first] = words;
  // `tar xIf program archive`: the first word is a cluster without a dash, whose values follow it.
  const isOldStyle = first !== undefined && /^[A-Za-z]/.test(first.leading);
  const bundled = isOldStyle ? first.leading.split('').map((letter) => `-${letter}`) : [];
  const tokens = readArguments(words, TAR, isOldStyle ? 2 : 1);
  const archives = [
    ...tokens.flatMap((token) =>
      token.type === 'option' && /^(?:-f|--file)$/.test(token.name) ? [token.value] : [],
    ),
    ...(bundled.includes('-f') ? words.slice(2, 3) : []),
  ];
  return [
    ...bundled.flatMap((name) =>
      first !== undefined && Object.hasOwn(TAR_ESCAPES, name)
        ? [escape(first, TAR_ESCAPES[name] ?? RUNS_PROGRAM)]
        : [],
    ),
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

const RSYNC_ESCAPES: EscapeOptions = {
  '-e': RUNS_PROGRAM,
  '--rsh': RUNS_PROGRAM,
  '--rsync-path': RUNS_PROGRAM,
  '-M': RUNS_PROGRAM,
  '--remote-option': RUNS_PROGRAM,
  '--daemon': RUNS_PROGRAM,
  '--config': 'reads its configuration from another place',
  '--log-file': WRITES_FILE,
  '--write-batch': WRITES_FILE,
  '--only-write-batch': WRITES_FILE,
  '--backup': null,
  '--backup-dir': WRITES_FILE,
  '--remove-source-files': DELETES_FILES,
};

export const rsyncEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'eMTfB@',
    valuedLong: names('exclude include filter rsh rsync-path'),
  });
  return [...optionEscapes(tokens, RSYNC_ESCAPES), ...unknownEscapes(tokens)];
};

export const sortEscapes = byOptions(
  {
    '-o': WRITES_FILE,
    '--output': WRITES_FILE,
    '--compress-program': RUNS_PROGRAM,
    '--files0-from': NAMES_FROM_FILE,
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
  { '--files0-from': NAMES_FROM_FILE },
  { valuedLong: names('files0-from') },
);

/** `md5sum -c` opens every file that the one it is given lists. */
export const checksumEscapes = byOptions({ '-c': NAMES_FROM_FILE, '--check': NAMES_FROM_FILE });

/** `@file` stands for the arguments in that file, in programs of GNU binutils and in compilers. */
export const responseFileEscapes: EscapeFinder = (words) =>
  words
    .slice(1)
    .filter(({ outline }) => outline.startsWith('@'))
    .map((word) => escape(word, NAMES_FROM_FILE));

export const splitEscapes = byOptions({ '--filter': RUNS_PROGRAM });

export const rgEscapes = byOptions(
  { '--pre': RUNS_PROGRAM, '--hostname-bin': RUNS_PROGRAM, '-z': RUNS_PROGRAM, '--search-zip': RUNS_PROGRAM },
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

export const zipEscapes: EscapeFinder = (words) => {
  const isEscape = (word: CommandWord): string | null => {
    const text = word.leading;
    if (/^-\w*TT/.test(text) || text.startsWith('--unz')) return RUNS_PROGRAM;
    if (/^-[A-Za-z]*m/.test(text) || text.startsWith('--mov')) return DELETES_FILES;
    if (/^-[A-Za-z]*O/.test(text) || /^--out|^-l[fa]$|^--log/.test(text)) return WRITES_FILE;
    return null;
  };
  return words.slice(1).flatMap((word) => {
    const why = isEscape(word);
    return why === null ? [] : [escape(word, why)];
  });
};

export const lessEscapes: EscapeFinder = (words) =>
  words.slice(1).flatMap((word) => {
    if (word.leading.startsWith('+')) return [escape(word, RUNS_PROGRAM)];
    if (/^-[a-zA-Z]*[oO]|^--log-file|^--LOG-FILE/.test(word.leading)) return [escape(word, WRITES_FILE)];
    return /^-[a-zA-Z]*k|^--lesskey/.test(word.leading) ? [escape(word, LOADS_CODE)] : [];
  });
