import { baseName } from '@countersign/kernel';
import type { CommandConcern, CommandUnit, CommandWord, Span } from '@countersign/protocol';
import type { Collector, Scope, VariableUse } from '../collect/collector.js';
import { findEscapes } from '../escapes/find-escapes.js';
import { isHarmlessVariable, isSensitiveVariable } from '../words/variables.js';
import { fixedWord } from '../words/word.js';
import { readCommand } from '../wrappers/read-command.js';
import type { Inner } from '../wrappers/reading.js';
import { assignedBy } from './assigned-variables.js';
import { noteEvaluatedArguments } from './evaluations.js';
import { concernOf } from './redirects.js';

export type FoundCommand = {
  readonly words: readonly CommandWord[];
  /** Set before the command word, or by a redirection that names its descriptor. */
  readonly variables: readonly VariableUse[];
  readonly span: Span;
};

/** Takes text apart as code; given by the walk, which in turn adds the commands it finds. */
export type WalkCode = (text: string, found: Collector, scope: Scope) => void;

/** Adds a command, and whatever it would run in its turn. */
export function addCommand(command: FoundCommand, found: Collector, scope: Scope, walkCode: WalkCode): void {
  const { words, span } = command;
  if (words.length === 0) return addAssignment(command, found, scope);
  const { role, concerns, runs } = readCommand(words, scope.listed);
  noteEvaluatedArguments(words, found, span);

  const variables = [...scope.variables, ...command.variables];
  const program = words[0]?.text ?? null;
  const unit: CommandUnit = {
    words,
    program,
    role,
    via: scope.via,
    span,
    redirects: scope.redirects,
    input: scope.input,
    concerns: [...concerns, ...findEscapes(words, scope.input), ...assignedBy(words)],
  };
  const burdened = { ...unit, concerns: [...unit.concerns, ...inherited(scope, variables, program)] };
  // What surrounds a transparent wrapper concerns the command inside, if there is one.
  const passesOn = role.type === 'neutral' && runs.length > 0;
  const place = found.units.push(passesOn ? unit : burdened);
  const inner: Scope = {
    ...scope,
    via: [...scope.via, program === null ? '?' : baseName(program)],
    redirects: passesOn ? scope.redirects : [],
    variables: passesOn ? variables : [],
    at: span,
    codeDepth: scope.codeDepth + 1,
  };
  for (const run of runs) addInner(run, found, inner, walkCode);
  if (passesOn && found.units.length === place) found.units[place - 1] = burdened;
}

function addInner(run: Inner, found: Collector, scope: Scope, walkCode: WalkCode): void {
  if (run.type === 'code') {
    const language = run.language ?? scope.language;
    if (found.mayGoInto(run.text.length, scope)) walkCode(run.text, found, { ...scope, language });
    return;
  }
  const { words, variables } = run;
  const [first] = words;
  if (first === undefined || !found.mayGoInto(words.length, scope)) return;
  const end = words.at(-1)?.span.end ?? first.span.end;
  const span = { start: Math.min(first.span.start, end), end };
  addCommand({ words, variables, span }, found, scope, walkCode);
}

/** An assignment or redirection without a command. */
function addAssignment({ variables, span }: FoundCommand, found: Collector, scope: Scope): void {
  const changes = variables
    .filter(({ name }) => isSensitiveVariable(name))
    .map((variable) => variableConcern(variable, `changes ${variable.name} for what runs next`));
  found.units.push(neutralUnit([], span, scope, changes));
}

/** A command of the grammar itself, `[[ … ]]` or `(( … ))`. */
export function addNeutral(keyword: string, span: Span, found: Collector, scope: Scope): void {
  found.units.push(neutralUnit([fixedWord(keyword, span)], span, scope, []));
}

const neutralUnit = (
  words: readonly CommandWord[],
  span: Span,
  { via, redirects, input }: Scope,
  concerns: readonly CommandConcern[],
): CommandUnit => ({
  ...{ words, program: words[0]?.text ?? null, role: { type: 'neutral' }, via, span, redirects, input },
  concerns: [...concerns, ...redirectConcerns(redirects)],
});

function inherited(
  { redirects }: Scope,
  variables: readonly VariableUse[],
  program: string | null,
): CommandConcern[] {
  const set = variables
    // For `read` alone it only says where a line is split.
    .filter(({ name }) => !isHarmlessVariable(name) && !(name === 'IFS' && program === 'read'))
    .map((variable) => variableConcern(variable, `sets ${variable.name} for the program`));
  return [...redirectConcerns(redirects), ...set];
}

const redirectConcerns = (redirects: Scope['redirects']): CommandConcern[] =>
  redirects.flatMap((each) => concernOf(each) ?? []);

const variableConcern = ({ name, span }: VariableUse, why: string): CommandConcern => ({
  type: 'variable',
  name,
  why,
  span,
});
