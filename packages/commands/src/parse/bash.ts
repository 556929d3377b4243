import { type ParsedScript, parse } from 'unbash';
import { BRACES_MAX, SUBSTITUTIONS_MAX, TEXT_CHARS_MAX } from './limits.js';

// The one file that loads the grammar.
export type {
  Assignment,
  Command,
  CommandNode,
  For,
  ParsedScript as Script,
  Pipeline,
  Redirection,
  SyntaxNode,
  Word as WordNode,
  WordPart,
} from 'unbash';
export { forEachChild } from 'unbash';

/**
 * `script` may be there in spite of a problem: bash runs the complete lines
 * before an error, so what was understood is worth judging.
 */
export type Parsed = { readonly script: ParsedScript | null; readonly problem: string | null };

export function parseBash(text: string): Parsed {
  const problem = tooMuch(text);
  if (problem !== null) return { script: null, problem };
  const script = parse(text);
  const split = SPLIT_EXPANSION.test(text) ? 'it holds an expansion that is split over two lines' : null;
  return { script, problem: script.errors?.[0]?.message ?? split };
}

/** Text that would keep the parser busy is refused by counting, whatever quotes stand around: that cannot be tricked. */
function tooMuch(text: string): string | null {
  if (text.length > TEXT_CHARS_MAX) return `it is longer than ${TEXT_CHARS_MAX} characters`;
  if (count(text, SUBSTITUTION) > SUBSTITUTIONS_MAX)
    return `it holds more than ${SUBSTITUTIONS_MAX} substitutions`;
  return count(text, BRACE) > BRACES_MAX ? `it holds more than ${BRACES_MAX} braces` : null;
}

/** Bash joins the lines first; the parser sees a lone `$`, or a word that ends with `<(…)`. */
const SPLIT_EXPANSION = /\$\\\n|[<>]\([^]*\)\\\n\S/;

// Substitutions and here-documents. A line continuation may stand between `$` and `(`.
const SUBSTITUTION = /[$<>](?:\\\n)*\(|\$\[|`|<</g;
const BRACE = /\{/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
