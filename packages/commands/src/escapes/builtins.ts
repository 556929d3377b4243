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

/** These change which files a pattern finds; the others how text is read, or what a name runs. */
const HARMLESS_OPTIONS =
  /^(?:globstar|nullglob|dotglob|failglob|nocaseglob|lastpipe|inherit_errexit|globasciiranges)$/;

export const shoptEscapes: EscapeFinder = (words) => {
  const [, option, ...names] = words;
  if (option?.text !== null && !/^-\w*s/.test(option?.leading ?? '')) return [];
  return names
    .filter(({ text }) => text === null || !HARMLESS_OPTIONS.test(text))
    .map((word) => escape(word, 'changes how what follows is read'));
};
