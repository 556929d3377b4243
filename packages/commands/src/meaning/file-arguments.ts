import { type Grammar, names } from '../words/options.js';

/**
 * Which arguments of a program are files, for programs where not all of them
 * are. An option counts as one with a value only if it always takes the next
 * word, and no option without one begins like it: what is taken for a value
 * here is not judged as a file.
 */
export type FileArguments = Grammar & {
  /** How many of its first operands are no files: the pattern of `grep`. */
  readonly text?: number;
  /** Options that give that text instead, so that every operand is a file. */
  readonly textBy?: readonly string[];
  /** Options whose value is a file. The values of all others that take one are none. */
  readonly files?: readonly string[];
};

const GREP: FileArguments = {
  valued: 'efmABCDd',
  valuedLong: names(
    'regexp file max-count after-context before-context context devices directories exclude exclude-from exclude-dir include label',
  ),
  text: 1,
  textBy: ['-e', '-f', '--regexp', '--file'],
  files: ['-f', '--file', '--exclude-from'],
};

const SEPARATED: FileArguments = {
  valued: 'dfcbst',
  valuedLong: names('delimiter delimiters fields characters bytes output-delimiter'),
};

/** What is not listed here takes every word that is no option for a file, if it is known to read files at all. */
const FILE_ARGUMENTS: { readonly [program: string]: FileArguments } = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: {
    valued: 'efgtTmABCEMrjd',
    valuedLong: names(
      'regexp file glob iglob type type-not type-add type-clear max-count after-context before-context context encoding max-columns replace threads max-depth max-filesize sort sortr color colors engine pre pre-glob ignore-file path-separator context-separator field-match-separator field-context-separator',
    ),
    text: 1,
    textBy: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
    files: ['-f', '--file', '--ignore-file'],
  },
  fd: {
    valued: 'deEtSojcxX',
    valuedLong: names(
      'max-depth min-depth exact-depth extension exclude type size changed-within changed-before owner threads color exec exec-batch base-directory search-path ignore-file max-results path-separator format',
    ),
    text: 1,
    files: ['--base-directory', '--search-path', '--ignore-file'],
  },
  sed: {
    valued: 'efl',
    attached: 'i',
    valuedLong: names('expression file line-length'),
    files: ['-f', '--file'],
  },
  awk: {
    valued: 'FvfeEil',
    valuedLong: names('field-separator assign file source'),
    files: ['-f', '--file'],
  },
  yq: { valued: 'Iop', text: 1 },
  cut: { ...SEPARATED, valued: 'dfcb' },
  paste: { ...SEPARATED, valued: 'd' },
  join: { valued: 'tjoeav12' },
  column: { valued: 'socNRHWTEn', valuedLong: names('separator output-separator') },
  sort: {
    valued: 'ktSTo',
    valuedLong: names(
      'key field-separator buffer-size temporary-directory batch-size parallel random-source sort files0-from output',
    ),
    files: ['-o', '--output', '-T', '--temporary-directory', '--random-source', '--files0-from'],
  },
  uniq: { valued: 'fsw', valuedLong: names('skip-fields skip-chars check-chars') },
  // Both of its operands are sets of characters.
  tr: { text: Number.POSITIVE_INFINITY },
  // `date -r file` prints when a file was changed.
  date: {
    valued: 'dfrs',
    attached: 'I',
    valuedLong: names('date file reference set'),
    text: Number.POSITIVE_INFINITY,
    files: ['-r', '--reference', '-f', '--file'],
  },
  hexdump: { valued: 'efns', files: ['-f'] },
  stat: { valued: 'c', valuedLong: names('format printf') },
  head: { valued: 'nc', valuedLong: names('lines bytes') },
  tail: { valued: 'ncs', valuedLong: names('lines bytes pid sleep-interval max-unchanged-stats') },
  nl: { valued: 'bdfhilnsvw' },
  du: {
    valued: 'dtBX',
    valuedLong: names('max-depth threshold block-size exclude exclude-from files0-from'),
    files: ['-X', '--exclude-from', '--files0-from'],
  },
  diff: {
    valued: 'CUILFWxXS',
    valuedLong: names(
      'ignore-matching-lines label show-function-line width exclude exclude-from starting-file from-file to-file',
    ),
    files: ['-X', '--exclude-from', '--from-file', '--to-file'],
  },
};

export function fileArgumentsOf(program: string): FileArguments {
  const name = program
    .replace(/^fdfind$/, 'fd')
    .replace(/^gsed$/, 'sed')
    .replace(/^[gmn]awk$/, 'awk');
  return Object.hasOwn(FILE_ARGUMENTS, name) ? (FILE_ARGUMENTS[name] ?? {}) : {};
}
