import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, readArguments } from '../options.js';
import { isSensitiveVariable } from '../variables.js';

/** Builtins that set variables named by their arguments. */
const DECLARING: { readonly [name: string]: Grammar } = {
  export: {},
  declare: {},
  typeset: {},
  local: {},
  readonly: {},
  unset: {},
  read: { valued: 'adinNptu' },
  mapfile: { valued: 'dnOsuCc' },
  readarray: { valued: 'dnOsuCc' },
  getopts: {},
  let: {},
};

/** Which variables of consequence a builtin would change. */
export function assignedBy(words: readonly CommandWord[]): CommandConcern[] {
  const program = words[0]?.text ?? '';
  return namedVariables(program, words).flatMap((word): CommandConcern[] => {
    const name = /^\w+/.exec(word.leading)?.[0];
    if (name === undefined && word.text !== null) return [];
    const isKnown = name !== undefined && (word.text !== null || /^\w+\+?[=[]/.test(word.leading));
    if (isKnown && !isSensitiveVariable(name)) return [];
    const why = isKnown
      ? `changes ${name} for what runs next`
      : `changes a variable that is not known (${word.source})`;
    return [{ type: 'variable', name: isKnown ? name : word.source, why, span: word.span }];
  });
}

function namedVariables(program: string, words: readonly CommandWord[]): readonly CommandWord[] {
  const grammar = Object.hasOwn(DECLARING, program) ? DECLARING[program] : undefined;
  if (grammar !== undefined) {
    return readArguments(words, grammar).flatMap((token) => {
      if (token.type !== 'option') return [token.word];
      // `read -a NAME`
      return token.name === '-a' && token.value !== null ? [token.value] : [];
    });
  }
  if (program === 'printf' && words[1]?.leading.startsWith('-v')) {
    const target = words[1].text === '-v' ? words[2] : { ...words[1], leading: words[1].leading.slice(2) };
    return target === undefined ? [] : [target];
  }
  return [];
}
