/** What a line says that is nothing but a comment, a text in brackets, or an ellipsis with words. */
export type LineBody = {
  readonly inside: 'comment' | 'brackets' | 'nothing';
  /** Lower case; empty if there is only an ellipsis. */
  readonly words: readonly string[];
  readonly ellipsis: 'none' | 'before' | 'after';
};

export type FileKind = 'code' | 'prose';

export const kindOf = (path: string): FileKind =>
  /\.(?:md|mdx|markdown|rst|adoc|txt|org)$|(?:^|\/)(?:README|CHANGELOG|LICENSE|NOTICE)$/iu.test(path)
    ? 'prose'
    : 'code';

/** A line of any text is mostly none of these: the first character decides before anything else is tried. */
export const MAY_STAND_FOR_OTHERS = /^[/#\-;%*<[({.…]/u;

// `#`, `*`, `-`, `;` and `%` begin headings, lists and sentences as soon as the text is prose.
const OPENS_IN_CODE =
  /^(?:\{\s*)?(?:\/\*+|<!--+|<%--|<%#|\{#|\{\{!--|\(\*|\/{2,}!?|#+|--+|;+|%+|\*+(?=\s))\s*/u;
const OPENS_IN_PROSE = /^(?:\{\s*)?(?:\/\*+|<!--+|\/{2,})\s*/u;
const CLOSES = /\s*(?:\*+\/|--+>|--%>|%>|#\}|--\}\}|\*\))\s*\}?[;,]?$/u;

const ELLIPSIS = /\.{3,}|…/u;
const LEADING = /^(?:\.{3,}|…|[\s\-–—~*_:<([{"'`])+/u;
const TRAILING = /(?:\.{3,}|…|[\s\-–—~*_:.;!>)\]}"'`])+$/u;

/** null for a line with code in it, or with anything that is no plain word. */
export function bodyOf(line: string, kind: FileKind): LineBody | null {
  const opened = (kind === 'code' ? OPENS_IN_CODE : OPENS_IN_PROSE).exec(line)?.[0];
  const inside = opened !== undefined ? 'comment' : insideOf(line);
  if (inside === null) return null;
  const said = line.slice(opened?.length ?? 0).replace(CLOSES, '');
  const leading = LEADING.exec(said)?.[0] ?? '';
  const trailing = TRAILING.exec(said.slice(leading.length))?.[0] ?? '';
  const phrase = said.slice(leading.length, said.length - trailing.length).toLowerCase();
  const ellipsis = ELLIPSIS.test(leading) ? 'before' : ELLIPSIS.test(phrase + trailing) ? 'after' : 'none';
  const words = wordsOf(phrase, inside);
  if (words === null) return null;
  if (words.length > 0) return { inside, words, ellipsis };
  return isBareOmission(line, inside, kind) ? { inside, words, ellipsis } : null;
}

function insideOf(line: string): 'brackets' | 'nothing' | null {
  if (/^(?:\[.*\]|\(.*\)|<.*>)[;,.]?$/u.test(line)) return 'brackets';
  return /^(?:\.{3,}|…)/u.test(line) ? 'nothing' : null;
}

/** Outside a comment a comma makes a list: `...rest, code` is no phrase. */
function wordsOf(phrase: string, inside: LineBody['inside']): string[] | null {
  const plain = inside === 'comment' ? /^[\p{L}\p{N}\s,'’&/().…-]*$/u : /^[\p{L}\p{N}\s'’.…-]*$/u;
  const said = phrase.replaceAll(/\.{3,}|…/gu, ' ');
  if (!plain.test(said) || said.includes('.')) return null;
  const words = said.split(/[\s,&/()]+/u).filter((word) => word !== '');
  return inside !== 'comment' && words.length === 1 ? null : words;
}

/**
 * An ellipsis and nothing else. As a line of code `...` is Python's empty body or the end of a YAML document, `(...)`
 * is C++, and a line of a comment may well be an ellipsis; in prose all of them are ordinary.
 */
function isBareOmission(line: string, inside: LineBody['inside'], kind: FileKind): boolean {
  if (kind === 'prose' || !ELLIPSIS.test(line)) return false;
  return inside === 'comment' ? !line.startsWith('*') : line.startsWith('[');
}
