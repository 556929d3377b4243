import type { CommandWord, Span } from '@countersign/protocol';
import { type Collector, doesMoreWhenEvaluated, type Scope, spanIn } from '../collect/collector.js';
import type { SyntaxNode, WordNode } from '../parse/bash.js';
import { readWord } from '../parse/read-word.js';
import { isIntegerVariable } from '../words/variables.js';

/**
 * Bash evaluates some text a second time: arithmetic, subscripts, prompts.
 * There a `$(…)` runs although it stands in single quotes, or comes out of a
 * variable that was given such text before.
 */
export function noteEvaluation(node: SyntaxNode, found: Collector, scope: Scope): void {
  const span = spanIn(scope, { start: node.pos, end: node.end });
  const evaluator = (why: string) => found.noteEvaluator(why, span);
  const direct = (why: string) => found.evaluations.push({ why, span });
  const judge = (word: WordNode | undefined, why: string) => {
    if (word === undefined || /^(?:\d+|@|\*)?$/.test(word.text)) return;
    if (doesMoreWhenEvaluated(readWord(word).outline)) direct(why);
    else evaluator(why);
  };
  switch (node.type) {
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Literal':
      return found.noteQuoted(node.value);
    case 'Word':
      if (node.parts === undefined) found.noteQuoted(node.value);
      return;
    case 'HereDocBody':
      return found.noteQuoted(node.parts === undefined ? node.text : '');
    case 'Assignment':
      if (isIntegerVariable(node.name) && node.value.type === 'Word')
        judge(node.value, `assigns arithmetic to ${node.name}`);
      if (node.name === 'PROMPT_COMMAND') direct('sets a command that runs before each prompt');
      else if (PROMPT.test(node.name) && node.value.type === 'Word')
        judge(node.value, `expands the value of ${node.name} as a prompt`);
      return judge(node.index, 'evaluates the index of an array element');
    case 'ArithmeticWord':
      if (doesMoreWhenEvaluated(withoutExpansions(node.value, node.parts ?? [])))
        return void direct('evaluates quoted text as arithmetic');
      return /^\d*$/.test(node.value) ? undefined : evaluator('evaluates a variable as arithmetic');
    case 'TestBinary':
      if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) return;
      judge(node.left, `evaluates what ${node.operator} compares as arithmetic`);
      return judge(node.right, `evaluates what ${node.operator} compares as arithmetic`);
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator)
        ? judge(node.operand, `evaluates the index in what ${node.operator} looks at`)
        : undefined;
    case 'ParameterExpansion': {
      judge(node.index, 'evaluates the index of an array element');
      if (node.prefix === '!' && node.operation?.type !== 'Names' && node.index === undefined)
        evaluator('takes the name of a variable from a variable');
      if (node.operation?.type === 'Slice') {
        judge(node.operation.offset, 'evaluates an offset as arithmetic');
        judge(node.operation.length, 'evaluates a length as arithmetic');
      }
      if (node.operation?.type === 'Transform' && node.operation.operand.value === 'P')
        direct('expands the value of a variable as a prompt');
      return;
    }
    default:
      return;
  }
}

/** Bash expands them once more: PS4 before each command that `set -x` prints. */
const PROMPT = /^(?:PS[0-4]|PROMPT_COMMAND)$/;
const setsPrompt = ({ leading }: CommandWord): boolean => /^(?:PS[0-4]|PROMPT_COMMAND)=/.test(leading);

/** Builtins that evaluate every word that they are given. */
const EVALUATES_ALL =
  /^(?:let|declare|typeset|local|readonly|unset|read|getopts|mapfile|readarray|compgen|complete|bind|wait)$/;

/** The words of a builtin that it evaluates. */
function evaluatedWords(program: string, words: readonly CommandWord[]): readonly CommandWord[] {
  if (EVALUATES_ALL.test(program)) return words;
  switch (program) {
    case 'export':
      return words.filter((word) => word.leading.includes('[') || setsPrompt(word));
    case 'env':
      return words.filter(setsPrompt);
    case 'printf':
      return words[0]?.leading.startsWith('-v') ? words.slice(0, 2) : [];
    case 'test':
    case '[':
      return words.filter((_, index) => /^-[vR]$/.test(words[index - 1]?.text ?? ''));
    default:
      return [];
  }
}

/** Evaluates the value of every variable that was declared so. */
const CHANGES_ATTRIBUTES = /^[-+][a-zA-Z]*[in]/;

export function noteEvaluatedArguments(words: readonly CommandWord[], found: Collector, span: Span): void {
  const program = words[0]?.text ?? '';
  for (const word of evaluatedWords(program, words.slice(1))) {
    const why = `evaluates what ${program} is given`;
    if (doesMoreWhenEvaluated(word.outline)) found.evaluations.push({ why, span });
    else if (word.text === null || program === 'let' || CHANGES_ATTRIBUTES.test(word.text))
      found.noteEvaluator(why, span);
  }
}

function withoutExpansions(
  text: string,
  parts: readonly { readonly type: string; readonly text: string }[],
): string {
  return parts
    .filter(({ type }) => type.endsWith('Expansion'))
    .reduce((rest, part) => rest.replace(part.text, ''), text);
}
