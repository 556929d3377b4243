import type { CommandWord } from '@countersign/protocol';
import { readArguments, type Token } from '../words/options.js';
import { escape } from '../words/word.js';
import { byPatterns, type EscapeFinder, LOADS_CODE, RUNS_PROGRAM, unknownEscapes } from './option-escapes.js';

// Builtins of the shell that change what a name runs, or run text they are given.

const CHANGES_READING = 'changes how the following commands are parsed';

const changesName = byPatterns([[/^-\w*p/, 'changes what a name runs']]);
export const hashEscapes: EscapeFinder = (words, input) => changesName(words.slice(0, 2), input);

export const enableEscapes = byPatterns([[/^-\w*f/, LOADS_CODE]]);

export const callbackEscapes = byPatterns([[/^-\w*[CFWx]/, RUNS_PROGRAM]]);

/** With `set -k`, `ls LD_PRELOAD=x` sets the variable instead of naming a file. */
export const setEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, { valued: 'o', stopsAtOperand: true });
  const isKeyword = ({ text }: CommandWord) => text === null || text === 'keyword';
  const makesKeywords = (token: Token): boolean =>
    token.type === 'option' &&
    (token.name === '-k' || (token.name === '-o' && token.value !== null && isKeyword(token.value)));
  return [
    ...tokens.filter(makesKeywords).map(({ word }) => escape(word, CHANGES_READING)),
    ...unknownEscapes(tokens),
  ];
};

export const sourceEscapes: EscapeFinder = (words) => {
  const [, file] = words;
  if (file === undefined) return [];
  const why = 'runs code that is known only when it runs';
  // What a pipe delivers is no file that the user could have reviewed.
  if (file.source.startsWith('<(') || /^\/dev\/(?:stdin|fd)|^\/proc\//.test(file.text ?? ''))
    return [{ type: 'code', why, span: file.span }];
  return file.text === null ? [escape(file, why)] : [];
};

/** These change which files a pattern finds; the others how text is read, or what a name runs. */
const HARMLESS_OPTIONS =
  /^(?:globstar|nullglob|dotglob|failglob|nocaseglob|lastpipe|inherit_errexit|globasciiranges)$/;

export const shoptEscapes: EscapeFinder = (words) => {
  const [, option, ...names] = words;
  if (option?.text !== null && !/^-\w*s/.test(option?.leading ?? '')) return [];
  return names
    .filter(({ text }) => text === null || !HARMLESS_OPTIONS.test(text))
    .map((word) => escape(word, CHANGES_READING));
};
