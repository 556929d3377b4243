import type { EscapeFinder } from './option-escapes.js';
import { escape, LOADS_CODE, RUNS_PROGRAM } from './option-escapes.js';

// Builtins of the shell that change what a name runs, or run text they are given.

export const hashEscapes: EscapeFinder = (words) =>
  words
    .slice(1, 2)
    .flatMap((word) => (/^-\w*p/.test(word.leading) ? [escape(word, 'changes what a name runs')] : []));

export const enableEscapes: EscapeFinder = (words) =>
  words.slice(1).flatMap((word) => (/^-\w*f/.test(word.leading) ? [escape(word, LOADS_CODE)] : []));

export const callbackEscapes: EscapeFinder = (words) =>
  words.slice(1).flatMap((word) => (/^-\w*[CFWx]/.test(word.leading) ? [escape(word, RUNS_PROGRAM)] : []));

export const sourceEscapes: EscapeFinder = (words) => {
  const [, file] = words;
  if (file === undefined || (file.text !== null && !/^\/dev\/(?:stdin|fd)|^\/proc\//.test(file.text)))
    return [];
  return [escape(file, 'runs code that is not known before it runs')];
};
