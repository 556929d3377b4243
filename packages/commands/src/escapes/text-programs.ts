import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, hasOption, names, optionValues, readArguments, type Token } from '../words/options.js';
import { escape } from '../words/word.js';
import { awkProgramEscape } from './awk-program.js';
import {
  type EscapeFinder,
  escapeOptions,
  LOADS_CODE,
  optionEscapes,
  WRITES_FILE,
} from './option-escapes.js';
import { sedScriptEscape } from './sed-script.js';

// sed and awk: their first argument is a program of its own.

const SED: Grammar = { valued: 'efl', attached: 'i', valuedLong: names('expression file line-length') };
const SED_ESCAPES = escapeOptions({
  [WRITES_FILE]: '-i --in-place',
  [LOADS_CODE]: '-f --file',
});

export const sedEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, SED);
  return [
    ...optionEscapes(tokens, SED_ESCAPES),
    ...scriptEscapes(sedScripts(tokens).scripts, sedScriptEscape),
  ];
};

/** Whatever a program of these is given as text: the texts, and which argument they are if they are no option. */
export type ProgramText = { readonly scripts: readonly CommandWord[]; readonly operand: number | null };

function sedScripts(tokens: readonly Token[]): ProgramText {
  const given = optionValues(tokens, /^(?:-e|--e\w*)$/);
  return programText(given, hasOption(tokens, /^(?:-f|--f|--fi|--fil|--file)$/) ? [] : tokens);
}

/** The first argument, unless options give the text. */
function programText(given: readonly CommandWord[], tokens: readonly Token[]): ProgramText {
  const first = tokens.find(({ type }) => type !== 'option');
  if (given.length > 0 || first === undefined) return { scripts: given, operand: null };
  return { scripts: [first.word], operand: first.index };
}

export const sedProgram = (words: readonly CommandWord[]): ProgramText =>
  sedScripts(readArguments(words, SED));

const AWK: Grammar = {
  valued: 'FvfeEilmW',
  attached: 'odpDL',
  valuedLong: names('field-separator assign file source exec include load'),
};
const AWK_ESCAPES = escapeOptions({
  [LOADS_CODE]: '-f -E -i -l -D -W --file --exec --include --load --debug',
  [WRITES_FILE]: '-o -d -p --pretty-print --dump-variables --profile',
});

/** Options of awk end at the program; what follows is data. */
export const awkEscapes: EscapeFinder = (words) => [
  ...optionEscapes(readArguments(words, { ...AWK, stopsAtOperand: true }), AWK_ESCAPES),
  ...scriptEscapes(awkProgram(words).scripts, awkProgramEscape),
];

export function awkProgram(words: readonly CommandWord[]): ProgramText {
  const tokens = readArguments(words, { ...AWK, stopsAtOperand: true });
  return programText(optionValues(tokens, /^(?:-e|--so?u?r?c?e?)$/), tokens);
}

/** Several scripts are read as lines of one. */
function scriptEscapes(
  scripts: readonly CommandWord[],
  judge: (script: string) => string | null,
): CommandConcern[] {
  const unknown = scripts.find(({ text }) => text === null);
  if (unknown !== undefined) return [escape(unknown, 'is a program that is known only when it runs')];
  const [first] = scripts;
  if (first === undefined) return [];
  const why = judge(scripts.map(({ text }) => text).join('\n'));
  return why === null ? [] : [escape(first, why)];
}
