/** How many files one prompt may name: who needs more names a directory. */
const MENTIONS_MAX = 50;
/** `?!…)` and their like, after a name. */
const MARKS_MAX = 8;

/**
 * What a text names with `@`, which may be paths: `@src/main.ts`, `@"with blanks.md"`, `@with\ blanks.md`. An address
 * (`me@example.org`) is none, since its `@` does not begin a word. Each is given once.
 */
export function findMentions(text: string): readonly string[] {
  const named = new Set<string>();
  for (const [, quoted, bare = ''] of text.matchAll(MENTION)) {
    const path = quoted ?? withoutSentence(bare).replace(/\\(.)/gs, '$1');
    if (path !== '') named.add(path);
    if (named.size === MENTIONS_MAX) break;
  }
  return [...named];
}

const MENTION = /(?<=^|[\s([{<'"`,;:])@(?:"([^"\n]+)"|((?:\\.|[^\s"'`<>,;\\])+))/gs;

/** The end of a sentence is no part of a name, nor is a bracket that was opened before it: `(see @app/[id]/page.tsx).` */
function withoutSentence(word: string): string {
  let end = word.length;
  for (; end > Math.max(0, word.length - MARKS_MAX); end--) {
    const last = word.charAt(end - 1);
    const opening = OPENING[last];
    if (opening !== undefined ? isBalanced(word.slice(0, end), opening, last) : !isMark(word, end)) break;
  }
  return word.slice(0, end);
}

const OPENING: { readonly [closing: string]: string | undefined } = { ')': '(', ']': '[', '}': '{' };

const isBalanced = (word: string, opening: string, closing: string): boolean =>
  word.split(opening).length >= word.split(closing).length;

/** `..` is a name. */
const isMark = (word: string, end: number): boolean =>
  '.!?:'.includes(word.charAt(end - 1)) && !/^\.{1,2}$|\/\.{1,2}$/.test(word.slice(0, end));
