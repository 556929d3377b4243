import { holdsCode } from '../collect/collector.js';
import type { Script, SyntaxNode, WordNode } from '../parse/bash.js';

/** Where a node stands, as far as bash reads it differently there. */
export type Surroundings = {
  /** Inside `[[ … ]]`, the one place where bash reads `+(…)` as a pattern unless an option says otherwise. */
  readonly isPattern: boolean;
  readonly isArithmetic: boolean;
  /** Inside `((…) …)`, which bash first takes for arithmetic. */
  readonly isDoubled: boolean;
  /** In a here-document, outside of substitutions: `${x:-'$(a)'}` runs `a` there. */
  readonly quotesAreText: boolean;
  /** Of what the substitution around consists. */
  readonly substitution: 'one pipeline' | 'more' | null;
};

export const AT_TOP: Surroundings = {
  isPattern: false,
  isArithmetic: false,
  isDoubled: false,
  quotesAreText: false,
  substitution: null,
};

export function inside(node: SyntaxNode, around: Surroundings): Surroundings {
  switch (node.type) {
    case 'TestCommand':
      return { ...around, isPattern: true };
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
      return { ...around, isArithmetic: true };
    case 'HereDoc':
      return { ...around, quotesAreText: true };
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return {
        ...AT_TOP,
        isDoubled: around.isDoubled || node.text.startsWith('$(('),
        substitution: isOnePipeline(node.script) ? 'one pipeline' : 'more',
      };
    case 'Subshell': {
      const first = node.body.commands[0]?.command;
      return first?.pos === node.pos + 1 && beginsWithSubshell(first)
        ? { ...around, isDoubled: true }
        : around;
    }
    default:
      return around;
  }
}

/**
 * Why what the parser made of a node may not be what bash makes of it; null if
 * there is no reason. Most were found by running generated lines (`fuzz/`).
 */
export function doubtAbout(node: SyntaxNode, around: Surroundings): string | null {
  // Bash has read these once already when it finds that it is no arithmetic, and does not read them alike again.
  if (around.isDoubled && /^(?:HereDoc|AnsiCQuoted|LocaleString)$/.test(node.type))
    return 'it holds a here-document or a $-quote after ((';
  switch (node.type) {
    case 'Script':
      return node.errors?.[0]?.message ?? null;
    case 'Command': {
      const nodes = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
      // `a<(b)` is one word to bash.
      const isSplit = nodes.some(({ type, pos }, index) => type === 'Word' && pos === nodes[index - 1]?.end);
      return isSplit ? 'it holds words that cannot be separated' : null;
    }
    case 'ArithmeticCommand':
      return node.expression === undefined && node.body.trim() !== '' ? UNREAD_ARITHMETIC : null;
    case 'ArithmeticExpansion':
      return node.expression === undefined ? UNREAD_ARITHMETIC : null;
    case 'ParameterExpansion':
      return node.operation?.type === 'Unknown' ? 'it holds an expansion that bash 5.2 does not know' : null;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.text.startsWith('${')) return 'it holds a function substitution of bash 5.3, ${ …; }';
      if (node.script === undefined) return 'it holds a substitution that cannot be parsed';
      // Where bash does not find the end of `$((`, it reads two subshells instead, and runs what the inner one prints.
      return around.isArithmetic && /\bcase\b|\$'|#|<</.test(node.text)
        ? 'it holds a substitution in arithmetic whose end bash may not find'
        : null;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return around.quotesAreText && holdsCode(node.text)
        ? 'it holds quotes in a here-document, where they do not quote'
        : null;
    case 'DoubleQuoted':
    case 'LocaleString':
      // Bash expands braces first, and to that `"${x-"{a,b}"}"` is two texts in quotes with braces between.
      return node.parts.some(({ text }) => /^(?:`|\$\{).*".*\{/s.test(text))
        ? 'it holds braces in quotes in quotes'
        : null;
    case 'ExtendedGlob':
      return around.isPattern ? null : 'it holds an extended pattern, which bash reads only with extglob';
    case 'HereDoc':
      if (node.closing === undefined) return 'it holds a here-document without an end';
      // Bash 5.2 prints a substitution and reads it again: after a here-document it can lose a `;`.
      return around.substitution === 'more'
        ? 'it holds a here-document among the commands of a substitution'
        : null;
    case 'HereDocBody':
      // Lines are joined before anything else, in the quotes and comments of a substitution as well.
      return node.parts?.some(
        ({ type, text }) => type !== 'Literal' && /\\\n/.test(text) && /['#]/.test(text),
      )
        ? 'it holds a substitution in a here-document that is split over two lines'
        : null;
    case 'ArrayValue':
      // Bash 5.2 may refuse that, and then continues with the next line, though that stands in quotes.
      return around.substitution !== null && node.elements.some(({ text }) => text.includes('\\'))
        ? 'it holds an array with a backslash in a substitution'
        : null;
    case 'Word':
      // `{name[index]}>file` names a descriptor, and evaluates the index.
      if (/^\{\w+\[/.test(node.text)) return 'it holds a descriptor that is named by an array element';
      return plainParts(node).some((text) => seemsExpanded(text) || seemsSubstituted(text))
        ? UNREAD_WORD
        : null;
    case 'Literal':
      return seemsExpanded(node.text) ? UNREAD_WORD : null;
    default:
      return null;
  }
}

const UNREAD_ARITHMETIC = 'it holds arithmetic that cannot be parsed';
const UNREAD_WORD = 'it holds a word that cannot be parsed';

/** Whether what the parser took for plain text is more than that to bash. */
const seemsExpanded = (text: string): boolean => /\$[\w{(@*#?!-]|`/.test(withoutEscapes(text));
const seemsSubstituted = (text: string): boolean => /[<>]\(/.test(withoutEscapes(text));
const withoutEscapes = (text: string): string => (text.includes('\\') ? text.replace(/\\./gs, '') : text);

const plainParts = ({ text, parts }: WordNode): readonly string[] =>
  parts?.flatMap((part) => (part.type === 'Literal' ? [part.text] : [])) ?? [text];

function beginsWithSubshell(node: SyntaxNode | undefined): boolean {
  switch (node?.type) {
    case 'Subshell':
      return true;
    case 'Pipeline':
    case 'AndOr':
      return beginsWithSubshell(node.commands[0]);
    case 'Redirected':
      return beginsWithSubshell(node.command);
    default:
      return false;
  }
}

function isOnePipeline(script: Script | undefined): boolean {
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0) return others.length === 0;
  const { command } = statement;
  return command.type === 'Pipeline'
    ? command.commands.every(({ type }) => type === 'Command')
    : command.type === 'Command';
}
