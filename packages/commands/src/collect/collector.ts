import type { CommandEvaluation, CommandRedirect, CommandUnit, Span, WordValue } from '@countersign/protocol';
import { CODE_DEPTH_MAX, INNER_CHARS_MAX, INNER_COMMANDS_MAX } from '../parse/limits.js';
import { arithmeticSetsSensitive } from '../words/variables.js';
import { mayBeOption, withoutValues } from '../words/word.js';
import type { Language } from './bash-only.js';

/** Where in the text the walk is, and what a command there inherits. */
export type Scope = {
  readonly via: readonly string[];
  /** Of the groups, loops and transparent wrappers around. */
  readonly redirects: readonly CommandRedirect[];
  readonly variables: readonly VariableUse[];
  readonly input: CommandUnit['input'];
  /** The names of files that the input consists of; null where that is not known. */
  readonly listed: readonly WordValue[] | null;
  /** Set inside text that is evaluated (`eval '…'`): its own positions mean nothing outside. */
  readonly at: Span | null;
  readonly codeDepth: number;
  readonly language: Language;
};

export type VariableUse = { readonly name: string; readonly span: Span };

export const OUTERMOST: Scope = {
  via: [],
  redirects: [],
  variables: [],
  input: 'own',
  listed: null,
  at: null,
  codeDepth: 0,
  language: 'bash',
};

export const spanIn = (scope: Scope, span: Span): Span => scope.at ?? span;

/** What the walk has found so far. */
export class Collector {
  readonly units: CommandUnit[] = [];
  readonly evaluations: CommandEvaluation[] = [];
  problem: string | null = null;
  #quotedCode = false;
  #definesFunction = false;
  #innerCommands = 0;
  #innerChars = 0;
  readonly #evaluators: CommandEvaluation[] = [];

  addProblem(problem: string): void {
    this.problem ??= problem;
  }

  /** Text that looks like code and is only data, unless something evaluates it. */
  noteQuoted(text: string): void {
    this.#quotedCode ||= doesMoreWhenEvaluated(text);
  }

  /** Something that evaluates the value of a variable once more: harmless unless that value is quoted code. */
  noteEvaluator(why: string, span: Span): void {
    this.#evaluators.push({ why, span });
  }

  noteFunction(): void {
    this.#definesFunction = true;
  }

  /** Whether one more command within a command may be taken apart; if not, that is a problem. */
  mayGoInto(chars: number, scope: Scope): boolean {
    this.#innerCommands += 1;
    this.#innerChars += chars;
    const isWithin =
      scope.codeDepth <= CODE_DEPTH_MAX &&
      this.#innerCommands <= INNER_COMMANDS_MAX &&
      this.#innerChars <= INNER_CHARS_MAX;
    if (!isWithin) this.addProblem('it holds too many commands within commands');
    return isWithin;
  }

  finish(): void {
    if (this.#quotedCode) this.evaluations.push(...this.#evaluators);
    // What words can be is read from names and variables as they stand there.
    if (!this.#definesFunction && !this.units.some(setsNames)) return;
    for (const [index, unit] of this.units.entries())
      this.units[index] = { ...unit, words: unit.words.map(withoutValues) };
  }
}

const SETS_NAMES =
  /^(?:alias|unalias|hash|enable|read|mapfile|readarray|getopts|let|declare|typeset|local|export|readonly|unset|eval|source|\.|trap|set|wait)$/;

/** Whether a command may give a variable or a program another meaning that no assignment in the text shows. */
function setsNames({ words, via }: CommandUnit): boolean {
  const [program, first] = words;
  if (program === undefined) return false;
  if (program.text === null || SETS_NAMES.test(program.text)) return true;
  return (
    via.some((wrapper) => SETS_NAMES.test(wrapper)) ||
    (program.text === 'printf' && first !== undefined && mayBeOption(first))
  );
}

/** Whether evaluating the text would run a command in it, or change what later commands run. */
export const doesMoreWhenEvaluated = (text: string): boolean =>
  holdsCode(text) || arithmeticSetsSensitive(text);

/** Whether evaluating the text would run a command in it. */
export const holdsCode = (text: string): boolean => /\$\(|`|\$\{[ \t\n|]/.test(text);
