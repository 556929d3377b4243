import type { CommandWord, Span } from '@countersign/protocol';
import {
  type Assignment,
  type Command,
  forEachChild,
  parseBash,
  type Redirection,
  type SyntaxNode,
  type WordNode,
} from '../parse/bash.js';
import { catIsPlain } from '../parse/known-output.js';
import { readAssignmentArgument, readWord } from '../parse/read-word.js';
import { isSensitiveVariable } from '../variables.js';
import { addCommand, addNeutral } from './add-command.js';
import { type Collector, type Scope, spanIn } from './collector.js';
import { noteEvaluation } from './evaluations.js';
import { namesNetwork, readRedirect } from './redirects.js';

/** Finds every command in a text, and the commands in the texts that those would evaluate. */
export function walkCode(text: string, found: Collector, scope: Scope): void {
  const { script, problem } = parseBash(text);
  if (problem !== null) found.addProblem(problem);
  if (script !== null)
    visit(
      script,
      { found, textNamesNetwork: namesNetwork(text), catIsPlain: catIsPlain(text), isPattern: false },
      scope,
    );
}

type Walk = {
  readonly found: Collector;
  readonly textNamesNetwork: boolean;
  readonly catIsPlain: boolean;
  /** Inside `[[ … ]]`, the one place where bash reads `+(…)` as a pattern unless told otherwise. */
  readonly isPattern: boolean;
};

function visit(node: SyntaxNode, walk: Walk, scope: Scope): void {
  const { found } = walk;
  const children = (inner: Scope) => forEachChild(node, (child) => visit(child, walk, inner));
  noteEvaluation(node, found, scope);
  switch (node.type) {
    case 'Script':
      for (const { message } of node.errors ?? []) found.addProblem(message);
      // Backquotes with escapes in them are read from a text of their own, with positions of its own.
      return children(
        node.source === undefined || scope.at !== null ? scope : { ...scope, at: spanOf(node) },
      );
    case 'Pipeline':
      for (const [index, each] of node.commands.entries()) {
        visit(each, walk, index === 0 ? scope : { ...scope, input: 'given' });
      }
      return;
    case 'Redirected':
      for (const redirect of node.redirects) visit(redirect, walk, scope);
      return visit(node.command, walk, redirected(node.redirects, walk, scope));
    case 'Command':
      addSimpleCommand(node, walk, scope);
      return children(inWords(scope));
    case 'TestCommand':
      addNeutral('[[', spanIn(scope, spanOf(node)), found, scope);
      return forEachChild(node, (child) => visit(child, { ...walk, isPattern: true }, inWords(scope)));
    case 'ArithmeticCommand':
      addNeutral('((', spanIn(scope, spanOf(node)), found, scope);
      if (node.expression === undefined && node.body.trim() !== '')
        found.addProblem('it holds arithmetic that can not be read');
      return children(inWords(scope));
    case 'For':
    case 'Select':
    case 'Coproc':
      if (node.name !== undefined) addVariable(node.name.value, node.name, walk, scope);
      return children(scope);
    case 'ParameterExpansion':
      if (node.operation?.type === 'Unknown')
        found.addProblem('it holds an expansion that bash 5.2 does not know');
      if (node.operation?.type === 'Default' && node.operation.operator.endsWith('='))
        addVariable(node.parameter, node, walk, scope);
      return children(scope);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.text.startsWith('${'))
        found.addProblem('it holds a function substitution of bash 5.3, ${ …; }');
      if (node.script === undefined) found.addProblem('it holds a substitution that can not be read');
      return children(inWords(scope));
    case 'ArithmeticExpansion':
      if (node.expression === undefined) found.addProblem('it holds arithmetic that can not be read');
      return children(inWords(scope));
    case 'ExtendedGlob':
      if (!walk.isPattern)
        found.addProblem('it holds an extended pattern, which bash reads only when told to');
      return children(scope);
    case 'HereDoc':
      if (node.closing === undefined) found.addProblem('it holds a here-document without an end');
      return children(inWords(scope));
    case 'Word':
      // `{name[index]}>file` names a descriptor, and evaluates the index.
      if (/^\{\w+\[/.test(node.text))
        found.addProblem('it holds a descriptor that is named by an array element');
      return children(inWords(scope));
    default:
      return children(scope);
  }
}

function addSimpleCommand(node: Command, walk: Walk, scope: Scope): void {
  const span = spanIn(scope, spanOf(node));
  const set = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [each] : []));
  const described = node.redirects.flatMap(({ descriptor }) =>
    descriptor?.type === 'FileDescriptorVariable' && isSensitiveVariable(descriptor.name) ? [descriptor] : [],
  );
  const variables = [...set, ...described].map((each) => ({
    name: each.name,
    span: spanIn(scope, spanOf(each)),
  }));
  const words =
    node.name === undefined ? [] : [node.name, ...node.args].map((each) => readArgument(each, walk, scope));
  addCommand({ words, variables, span }, walk.found, redirected(node.redirects, walk, scope), walkCode);
}

function readArgument(node: WordNode | Assignment, walk: Walk, scope: Scope): CommandWord {
  const word = node.type === 'Word' ? readWord(node, walk) : readAssignmentArgument(node);
  return scope.at === null ? word : { ...word, span: scope.at };
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
  return { ...scope, redirects: [...scope.redirects, ...read], input: isGiven ? 'given' : scope.input };
}

/** Commands in a word are no part of the group or wrapper around the command that the word belongs to. */
const inWords = (scope: Scope): Scope => ({ ...scope, redirects: [], variables: [], input: 'own' });

const spanOf = ({ pos, end }: SyntaxNode): Span => ({ start: pos, end });
