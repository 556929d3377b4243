import type { CommandWord } from '@countersign/protocol';
import { UNKNOWN_PART } from '../words/word.js';
import type { Assignment, WordNode, WordPart } from './bash.js';
import { expandBraces, hasOddBraces } from './expand-braces.js';
import { knownOutput } from './known-output.js';
import { type Knowledge, valuesOf } from './word-values.js';

/** How the name begins that bash gives to `<(…)` and `>(…)`. */
export const PROCESS_FILE = '/dev/fd/';

/** What is fixed of a word of the syntax tree. */
export function readWord(node: WordNode, knows: Knowledge = NOTHING): CommandWord {
  const span = { start: node.pos, end: node.end };
  const { text: source, parts } = node;
  if (parts === undefined) {
    // `~` is a home folder, and `~name` too if there is such a person; in `~/x` at least the last name is fixed.
    if (source.startsWith('~') && !source.includes('/')) {
      return {
        text: null,
        leading: source === '~' ? '/' : '',
        count: 'one',
        outline: UNKNOWN_PART,
        source,
        span,
      };
    }
    if (hasOddBraces(source)) {
      return { text: null, leading: '', count: 'any', outline: UNKNOWN_PART, source, span };
    }
    return { text: node.value, leading: node.value, count: 'one', outline: node.value, source, span };
  }
  const found: Found = { outline: '', leading: null, count: 'one' };
  for (const part of parts) addPart(found, part, knows);
  if (hasOddBraces(parts.map((part) => (part.type === 'Literal' ? part.text : 'x')).join(''))) {
    addUnknown(found, 'split');
  }
  const { outline, leading, count } = found;
  const values = leading === null ? null : valuesOf(parts, knows);
  return {
    text: leading === null ? outline : null,
    leading: leading ?? outline,
    count,
    outline,
    source,
    span,
    ...(values === null ? {} : { values }),
  };
}

/** An argument, which is several where it holds braces that can be written out. */
export function readArgument(node: WordNode, knows: Knowledge): readonly CommandWord[] {
  const word = readWord(node, knows);
  if (!node.parts?.some(({ type }) => type === 'BraceExpansion')) return [word];
  return expandBraces(node.text)?.map((text) => expandedWord(word, text)) ?? [word];
}

/** Braces are expanded before patterns: `*.{ts,js}` is `*.ts *.js`. */
function expandedWord(word: CommandWord, text: string): CommandWord {
  const wild = text.search(/[*?]/);
  if (wild === -1) return { ...word, text, leading: text, outline: text, count: 'one' };
  return { ...word, text: null, leading: text.slice(0, wild), outline: text, count: 'any' };
}

const NOTHING: Knowledge = { catIsPlain: false, variables: new Map(), listed: () => null };

/** `leading` is null while all parts so far were fixed. */
type Found = { outline: string; leading: string | null; count: CommandWord['count'] };

function addPart(found: Found, part: WordPart, knows: Knowledge): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      found.outline += part.value;
      return;
    case 'AnsiCQuoted':
      // `\\x{41}` is not in the manual, and read by bash all the same.
      if (part.text.includes('\\x{')) return addUnknown(found, 'one');
      found.outline += part.value;
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) {
        const known = child.type === 'Literal' ? child.value : knows.catIsPlain ? knownOutput(child) : null;
        if (known !== null) found.outline += known;
        else addUnknown(found, LIST.test(child.text) ? 'split' : 'one');
      }
      return;
    case 'ArithmeticExpansion':
      return addUnknown(found, 'one');
    case 'ProcessSubstitution':
      return addUnknown(found, 'one', PROCESS_FILE);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
      return addUnknown(found, 'split');
    case 'Glob':
    case 'ExtendedGlob':
      return addUnknown(found, 'many', '', part.text);
    case 'BraceExpansion':
      return addUnknown(found, part.parts === undefined ? 'many' : 'split', '', part.text);
  }
}

/** `"$@"`, `"${a[@]}"`, `"${!x@}"` are lists even in quotes. */
const LIST = /^\$(?:@|\{.*@)/s;

function addUnknown(
  found: Found,
  spread: 'one' | 'many' | 'split',
  begins = '',
  outline = UNKNOWN_PART,
): void {
  found.leading ??= found.outline === '' ? begins : found.outline;
  if (spread !== 'one') found.count = 'any';
  // Of `a$x` the second word can be anything.
  if (spread === 'split') found.leading = '';
  found.outline += outline;
}

/** An argument of the form `NAME=value`, as given to `export` or `declare`. */
export function readAssignmentArgument(node: Assignment): CommandWord {
  const start = { start: node.pos, end: node.end };
  const name = `${node.name}${node.append ? '+' : ''}=`;
  const isPlain = node.index === undefined && node.value.type === 'Word';
  const value = isPlain && node.value.type === 'Word' ? readWord(node.value) : null;
  const text = value === null || value.text === null ? null : name + value.text;
  const leading = node.index === undefined ? name + (value?.leading ?? '') : `${node.name}[`;
  return {
    text,
    leading,
    count: 'one',
    outline: text ?? leading + UNKNOWN_PART,
    source: node.text,
    span: start,
  };
}
