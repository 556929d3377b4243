import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, hasOption, names, optionValues, readArguments } from '../words/options.js';
import { isSensitiveVariable } from '../words/variables.js';

type Declaring = Grammar & {
  /** The option whose value is the name of a variable. */
  readonly naming?: RegExp;
  /** Whether what is no option names variables as well. */
  readonly operands?: 'others';
};

/** Builtins that set variables named by their arguments. */
const DECLARING: { readonly [name: string]: Declaring } = {
  ...Object.fromEntries(
    names('export declare typeset local readonly unset getopts let').map((name) => [name, {}]),
  ),
  read: { valued: 'adinNptu', naming: /^-a$/ },
  mapfile: { valued: 'dnOsuCc' },
  readarray: { valued: 'dnOsuCc' },
  wait: { valued: 'p', naming: /^-p$/, operands: 'others' },
};

/** Which variables of consequence a builtin would change. */
export function assignedBy(words: readonly CommandWord[]): CommandConcern[] {
  const program = words[0]?.text ?? '';
  const references = /^(?:declare|typeset|local)$/.test(program) ? referencesMade(words) : [];
  const changed = namedVariables(program, words).flatMap((word): CommandConcern[] => {
    const name = /^\w+/.exec(word.leading)?.[0];
    if (name === undefined && word.text !== null) return [];
    const isKnown = name !== undefined && (word.text !== null || /^\w+\+?[=[]/.test(word.leading));
    if (isKnown && !isSensitiveVariable(name)) return [];
    const why = isKnown
      ? `changes ${name} for what runs next`
      : `changes a variable that is not known (${word.source})`;
    return [{ type: 'variable', name: isKnown ? name : word.source, why, span: word.span }];
  });
  return [...changed, ...references];
}

/** `declare -n ref=PATH`: setting `ref` then sets `PATH`. */
function referencesMade(words: readonly CommandWord[]): CommandConcern[] {
  const tokens = readArguments(words, {});
  if (!hasOption(tokens, /^-n$/)) return [];
  return tokens.flatMap(({ type, word }): CommandConcern[] => {
    const target = /^\w+=(\w+)$/.exec(word.text ?? '')?.[1];
    if (type === 'option' || (target !== undefined && !isSensitiveVariable(target))) return [];
    const why = `lets a name stand for ${target ?? 'a variable that is not known'}`;
    return [{ type: 'variable', name: target ?? word.source, why, span: word.span }];
  });
}

function namedVariables(program: string, words: readonly CommandWord[]): readonly CommandWord[] {
  const grammar = Object.hasOwn(DECLARING, program) ? DECLARING[program] : undefined;
  if (grammar !== undefined) {
    const tokens = readArguments(words, grammar);
    const operands = grammar.operands === 'others' ? [] : tokens.filter(({ type }) => type !== 'option');
    return [...optionValues(tokens, grammar.naming ?? /$^/), ...operands.map(({ word }) => word)];
  }
  if (program === 'printf' && words[1]?.leading.startsWith('-v')) {
    const target = words[1].text === '-v' ? words[2] : { ...words[1], leading: words[1].leading.slice(2) };
    return target === undefined ? [] : [target];
  }
  return [];
}
