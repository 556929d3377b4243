import type { CommandWord, WordValue } from '@countersign/protocol';
import { type Grammar, mayBeSplit, names, readArguments } from '../words/options.js';
import { UNKNOWN_PART, unknownWords } from '../words/word.js';
import { findListing } from './listings.js';
import { command, type Inner, NEUTRAL, opaque, PLAIN, type Reading } from './reading.js';

// Programs that run a command with words of their own added: names of files, or lines of their input.

export const XARGS: Grammar = {
  valued: 'aEILnPsd',
  attached: 'iel',
  valuedLong: names('arg-file delimiter max-args max-procs max-chars process-slot-var'),
  stopsAtOperand: true,
};
const XARGS_OPTION =
  /^(?:-[0rtpxoaEILnPsdiel]|--(?:null|no-run-if-empty|verbose|interactive|exit|open-tty|show-limits|replace|eof|max-lines|arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var))$/;

export function readXargs(words: readonly CommandWord[], listed: readonly WordValue[] | null): Reading {
  let placeholder: string | null = null;
  let values = listed;
  for (const token of readArguments(words, XARGS)) {
    if (token.type === 'operand')
      return { ...NEUTRAL, runs: [filled(words.slice(token.index), placeholder, values)] };
    if (token.type === 'unknown' || !XARGS_OPTION.test(token.name) || mayBeSplit(token)) {
      return opaque(`what it runs is not known because of ${token.word.source}`, [
        command(words.slice(token.index + 1)),
        command(words.slice(token.index + 2)),
      ]);
    }
    if (/^(?:-a|--arg-file)$/.test(token.name) && token.value?.text === null)
      return opaque('what it reads is known only when it runs', [command(words.slice(token.index + 2))]);
    if (/^(?:-a|--arg-file)$/.test(token.name)) values = null;
    if (/^(?:-I|-i|--replace)$/.test(token.name)) placeholder = token.value?.text || '{}';
  }
  const [program] = words;
  // Without a command it prints what it is given.
  return program === undefined
    ? NEUTRAL
    : { ...NEUTRAL, runs: [filled([{ ...program, ...ECHO }], null, values)] };
}

const ECHO = { text: 'echo', leading: 'echo', outline: 'echo' };

const FIND_ACTIONS: readonly (string | null)[] = ['-exec', '-execdir', '-ok', '-okdir'];

export function readFind(words: readonly CommandWord[]): Reading {
  const runs: Inner[] = [];
  const found = findListing(words)?.map((each) => ({ ...each, splits: false })) ?? null;
  for (let index = 1; index < words.length; index += 1) {
    if (!FIND_ACTIONS.includes(words[index]?.text ?? null)) continue;
    const rest = words.slice(index + 1);
    // `+` ends the command only after `{}`; what is taken for the end too early is judged all the same.
    const end = rest.findIndex(
      ({ text }, at) => text === ';' || (text === '+' && rest[at - 1]?.text === '{}'),
    );
    const called = end === -1 ? rest : rest.slice(0, end);
    const last = called.at(-1);
    if (last === undefined) continue;
    // `{} +` stands for many names.
    const given = rest[end]?.text === '+' ? [...called.slice(0, -1), unknownWords(last.span, found)] : called;
    runs.push(filled(given, '{}', found));
    index += called.length + 1;
  }
  return { ...PLAIN, runs };
}

const FD: Grammar = {
  valued: 'dteESojcxX',
  valuedLong: names('exec exec-batch max-depth type extension exclude size changed-within changed-before'),
};

export function readFd(words: readonly CommandWord[]): Reading {
  const runs: Inner[] = [];
  let from = 1;
  for (const token of readArguments(words, FD)) {
    if (token.index < from || token.type !== 'option' || !/^(?:-x|-X|--exec|--exec-batch)$/.test(token.name))
      continue;
    if (token.value === null) continue;
    const isAttached = token.value.span === token.word.span;
    const rest = words.slice(token.index + (isAttached ? 1 : 2));
    const end = rest.findIndex(({ text }) => text === ';');
    const called = [token.value, ...(end === -1 ? rest : rest.slice(0, end))];
    runs.push(filled([...called, unknownWords(token.word.span)], /\{[^{}]*\}/, null));
    from = end === -1 ? words.length : token.index + end + 1;
  }
  return { ...PLAIN, runs };
}

/** The command with unknown words where the placeholder stands, or at its end if there is none. */
function filled(
  words: readonly CommandWord[],
  placeholder: string | RegExp | null,
  values: readonly WordValue[] | null,
): Inner {
  const span = words.at(-1)?.span ?? { start: 0, end: 0 };
  if (placeholder === null) return command([...words, unknownWords(span, values)]);
  return command(words.map((word) => fillIn(word, placeholder, values)));
}

function fillIn(
  word: CommandWord,
  placeholder: string | RegExp,
  values: readonly WordValue[] | null,
): CommandWord {
  const at =
    typeof placeholder === 'string' ? word.outline.indexOf(placeholder) : word.outline.search(placeholder);
  if (at === -1) return word;
  const outline =
    typeof placeholder === 'string'
      ? word.outline.replaceAll(placeholder, UNKNOWN_PART)
      : word.outline.replace(new RegExp(placeholder, 'g'), UNKNOWN_PART);
  const isWhole = word.text === placeholder && values !== null;
  return {
    ...word,
    text: null,
    leading: word.leading.slice(0, at),
    outline,
    ...(isWhole ? { values } : {}),
  };
}
