import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, isAbbreviated, names, readArguments } from '../options.js';
import { awkProgramEscape } from './awk-program.js';
import {
  type EscapeFinder,
  type EscapeOptions,
  escape,
  LOADS_CODE,
  optionEscapes,
  WRITES_FILE,
} from './option-escapes.js';
import { sedScriptEscape } from './sed-script.js';

// sed and awk: their first argument is a program of its own.

const SED: Grammar = { valued: 'efl', attached: 'i', valuedLong: names('expression file line-length') };
const SED_ESCAPES: EscapeOptions = {
  '-i': WRITES_FILE,
  '--in-place': WRITES_FILE,
  '-f': LOADS_CODE,
  '--file': LOADS_CODE,
};

export const sedEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, SED);
  const given = tokens.flatMap((token) =>
    token.type === 'option' &&
    (token.name === '-e' || isAbbreviated(token.name, ['expression'])) &&
    token.value !== null
      ? [token.value]
      : [],
  );
  const hasFile = tokens.some(
    (token) => token.type === 'option' && (token.name === '-f' || isAbbreviated(token.name, ['file'])),
  );
  const first = tokens.find(({ type }) => type !== 'option');
  const scripts = given.length > 0 || hasFile ? given : first === undefined ? [] : [first.word];
  return [...optionEscapes(tokens, SED_ESCAPES), ...scriptEscapes(scripts, sedScriptEscape)];
};

const AWK: Grammar = {
  valued: 'FvfeEilmW',
  attached: 'odpDL',
  valuedLong: names('field-separator assign file source exec include load'),
};
const AWK_ESCAPES: EscapeOptions = {
  '-f': LOADS_CODE,
  '-E': LOADS_CODE,
  '-i': LOADS_CODE,
  '-l': LOADS_CODE,
  '-o': WRITES_FILE,
  '-d': WRITES_FILE,
  '-p': WRITES_FILE,
  '-D': LOADS_CODE,
  '-W': LOADS_CODE,
  '--file': LOADS_CODE,
  '--exec': LOADS_CODE,
  '--include': LOADS_CODE,
  '--load': LOADS_CODE,
  '--pretty-print': WRITES_FILE,
  '--dump-variables': WRITES_FILE,
  '--profile': WRITES_FILE,
  '--debug': LOADS_CODE,
};

/** Options of awk end at the program; what follows is data. */
export const awkEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, { ...AWK, stopsAtOperand: true });
  const sources = tokens.flatMap((token) =>
    token.type === 'option' &&
    (token.name === '-e' || isAbbreviated(token.name, ['source'])) &&
    token.value !== null
      ? [token.value]
      : [],
  );
  const first = tokens.find(({ type }) => type !== 'option');
  const programs = sources.length > 0 ? sources : first === undefined ? [] : [first.word];
  return [...optionEscapes(tokens, AWK_ESCAPES), ...scriptEscapes(programs, awkProgramEscape)];
};

/** Several scripts are read as lines of one. */
function scriptEscapes(
  scripts: readonly CommandWord[],
  judge: (script: string) => string | null,
): CommandConcern[] {
  const unknown = scripts.find(({ text }) => text === null);
  if (unknown !== undefined) return [escape(unknown, 'is a program that is not known before it runs')];
  const [first] = scripts;
  if (first === undefined) return [];
  const why = judge(scripts.map(({ text }) => text).join('\n'));
  return why === null ? [] : [escape(first, why)];
}
