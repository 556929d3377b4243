import type { CommandWord, Span } from '@countersign/protocol';
import { isBashOnly } from '../collect/bash-only.js';
import { type Collector, type Scope, spanIn } from '../collect/collector.js';
import {
  type Command,
  type For,
  forEachChild,
  type Pipeline,
  parseBash,
  type Redirection,
  type SyntaxNode,
} from '../parse/bash.js';
import { catIsPlain } from '../parse/known-output.js';
import { readArgument, readAssignmentArgument, readWord } from '../parse/read-word.js';
import { isSetByLoopOnly, type Knowledge, listedValues } from '../parse/word-values.js';
import { isSensitiveVariable } from '../words/variables.js';
import { type Listing, listingOf, listingOfScript } from '../wrappers/listings.js';
import { addCommand, addNeutral } from './add-command.js';
import { AT_TOP, doubtAbout, inside, type Surroundings } from './doubts.js';
import { noteEvaluation } from './evaluations.js';
import { namesNetwork, readRedirect } from './redirects.js';

/** Finds every command in a text, and the commands in the texts that those would evaluate. */
export function walkCode(text: string, found: Collector, scope: Scope): void {
  const { script, problem } = parseBash(text);
  if (problem !== null) found.addProblem(problem);
  if (script !== null)
    visit(
      script,
      {
        found,
        text,
        textNamesNetwork: namesNetwork(text),
        catIsPlain: catIsPlain(text),
        variables: new Map(),
        listed: listingOfScript,
        around: AT_TOP,
      },
      scope,
    );
}

type Walk = Knowledge & {
  readonly found: Collector;
  readonly text: string;
  readonly textNamesNetwork: boolean;
  readonly around: Surroundings;
};

function visit(node: SyntaxNode, walk: Walk, scope: Scope): void {
  const { found } = walk;
  const around = inside(node, walk.around);
  const within = around === walk.around ? walk : { ...walk, around };
  const children = (inner: Scope) => forEachChild(node, (child) => visit(child, within, inner));
  noteEvaluation(node, found, scope);
  const doubt = doubtAbout(node, walk.around);
  if (doubt !== null) found.addProblem(doubt);
  if (scope.language === 'posix' && isBashOnly(node))
    found.addProblem('it gives a shell text that only bash reads like this');
  switch (node.type) {
    case 'Script':
      // Backquotes with escapes in them are read from a text of their own, with positions of its own.
      return children(
        node.source === undefined || scope.at !== null ? scope : { ...scope, at: spanOf(node) },
      );
    case 'Pipeline':
      return visitStages(node, walk, scope);
    case 'Function':
      found.noteFunction();
      return children(scope);
    case 'Redirected':
      for (const redirect of node.redirects) visit(redirect, walk, scope);
      return visit(node.command, walk, redirected(node.redirects, walk, scope));
    case 'Command':
      addSimpleCommand(node, walk, scope);
      return children(inWords(scope));
    case 'TestCommand':
      addNeutral('[[', spanIn(scope, spanOf(node)), found, scope);
      return children(inWords(scope));
    case 'ArithmeticCommand':
      addNeutral('((', spanIn(scope, spanOf(node)), found, scope);
      return children(inWords(scope));
    case 'For':
      addVariable(node.name.value, node.name, walk, scope);
      for (const word of node.wordlist ?? []) visit(word, within, scope);
      return visit(node.body, inLoop(node, within), scope);
    case 'Select':
    case 'Coproc':
      if (node.name !== undefined) addVariable(node.name.value, node.name, walk, scope);
      return children(scope);
    case 'ParameterExpansion':
      if (node.operation?.type === 'Default' && node.operation.operator.endsWith('='))
        addVariable(node.parameter, node, walk, scope);
      return children(scope);
    case 'ArithmeticBinary':
      if (ASSIGNS.test(node.operator)) addTarget(node.left, walk, scope);
      return children(scope);
    case 'ArithmeticUnary':
      if (STEPS.test(node.operator)) addTarget(node.operand, walk, scope);
      return children(scope);
    case 'ProcessSubstitution':
      return children({ ...inWords(scope), input: node.text.startsWith('>') ? 'given' : scope.input });
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ArithmeticExpansion':
    case 'HereDoc':
    case 'Word':
      return children(inWords(scope));
    default:
      return children(scope);
  }
}

function visitStages({ commands }: Pipeline, walk: Walk, scope: Scope): void {
  let listed: Listing | null = null;
  for (const [index, stage] of commands.entries()) {
    visit(stage, walk, index === 0 ? scope : { ...scope, input: 'given', listed });
    listed = index > 0 && listed === null ? null : listingOf(stage, listed);
  }
}

/** The body of a loop over words that are known is read with what they give to its variable. */
function inLoop({ name, wordlist }: For, walk: Walk): Walk {
  const words = wordlist?.flatMap((word) => readArgument(word, walk));
  const values = words === undefined ? null : listedValues(words);
  if (values === null || !isSetByLoopOnly(name.value, walk.text)) return walk;
  return { ...walk, variables: new Map(walk.variables).set(name.value, values) };
}

function addSimpleCommand(node: Command, walk: Walk, scope: Scope): void {
  const span = spanIn(scope, spanOf(node));
  const set = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [each] : []));
  const words = wordsOf(node, walk).map((word) => (scope.at === null ? word : { ...word, span: scope.at }));
  const described = node.redirects.flatMap(({ descriptor }) =>
    descriptor?.type === 'FileDescriptorVariable' && isSensitiveVariable(descriptor.name) ? [descriptor] : [],
  );
  const variables = [...set, ...described].map((each) => ({
    name: each.name,
    span: spanIn(scope, spanOf(each)),
  }));
  addCommand({ words, variables, span }, walk.found, redirected(node.redirects, walk, scope), walkCode);
}

function wordsOf({ name, args }: Command, walk: Walk): readonly CommandWord[] {
  if (name === undefined) return [];
  return [
    readWord(name, walk),
    ...args.flatMap((each) =>
      each.type === 'Word' ? readArgument(each, walk) : [readAssignmentArgument(each)],
    ),
  ];
}

const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/;
const STEPS = /^(?:\+\+|--)$/;

/** What arithmetic assigns to: a number, and yet a `PATH` of 1 is a folder of that name. */
function addTarget(target: SyntaxNode, walk: Walk, scope: Scope): void {
  const name = target.type === 'ArithmeticWord' ? /^\w+/.exec(target.value)?.[0] : undefined;
  if (name !== undefined) addVariable(name, target, walk, scope);
}

/** A variable that the grammar itself sets: of a loop, a coprocess, `${name:=…}`. */
function addVariable(name: string, node: SyntaxNode, walk: Walk, scope: Scope): void {
  const span = spanIn(scope, spanOf(node));
  if (isSensitiveVariable(name))
    addCommand({ words: [], variables: [{ name, span }], span }, walk.found, inWords(scope), walkCode);
}

function redirected(redirects: readonly Redirection[], walk: Walk, scope: Scope): Scope {
  if (redirects.length === 0) return scope;
  const read = redirects.map((each) => readRedirect(each, scope, walk.textNamesNetwork));
  const isGiven = read.some(({ operator }) => operator.startsWith('<'));
  return {
    ...scope,
    redirects: [...scope.redirects, ...read],
    ...(isGiven ? { input: 'given', listed: null } : {}),
  };
}

/** Commands in a word are no part of the group or wrapper around the command that the word belongs to; its input they share. */
const inWords = (scope: Scope): Scope => ({ ...scope, redirects: [], variables: [] });

const spanOf = ({ pos, end }: SyntaxNode): Span => ({ start: pos, end });
