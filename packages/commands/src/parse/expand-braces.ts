/** More words than a person writes out; beyond it they count as not known. */
const WORDS_MAX = 64;

/** Whatever is expanded after braces, or keeps them from being expanded. */
const NOT_PLAIN = /['"\\$`[\]~]/;

/** `{a}b,c}`: bash takes the first closing brace for text and continues to the next. */
const ODD = /\{[^{},]*\}[^]*,[^]*\}/;

/** Whether bash expands braces in a word that seems to hold none. `skeleton`: the word without what is quoted. */
export const hasOddBraces = (skeleton: string): boolean => ODD.test(skeleton.replace(/\\./gs, ''));

/** The words that bash makes of one with `{a,b}` or `{1..3}` in it; null when that is not known here. */
export function expandBraces(source: string): readonly string[] | null {
  if (NOT_PLAIN.test(source) || ODD.test(source)) return null;
  const words = expanded(source);
  return words?.filter((word) => word !== '') ?? null;
}

function expanded(text: string): readonly string[] | null {
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', open + 1)) {
    const group = groupAt(text, open);
    if (group === null) continue;
    const { alternatives, end } = group;
    const middles = alternatives?.map(expanded) ?? null;
    const tails = expanded(text.slice(end));
    if (middles === null || tails === null) return null;
    const words: string[] = [];
    for (const middle of middles) {
      if (middle === null || words.length + middle.length * tails.length > WORDS_MAX) return null;
      for (const each of middle) words.push(...tails.map((tail) => text.slice(0, open) + each + tail));
    }
    return words;
  }
  return [text];
}

/** null: the brace is a brace. `alternatives` null: they are not known. */
type Group = { readonly alternatives: readonly string[] | null; readonly end: number };

function groupAt(text: string, open: number): Group | null {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (character === '}' && depth > 0) depth -= 1;
    else if (character === '}') {
      parts.push(text.slice(from, at));
      return parts.length > 1 ? { alternatives: parts, end: at + 1 } : sequence(parts[0] ?? '', at + 1);
    }
  }
  return null;
}

/** `1..3` is written out; of letters, padded numbers and steps it is enough to know that they are a sequence. */
function sequence(text: string, end: number): Group | null {
  if (!/^(?:-?\d+\.\.-?\d+|[a-zA-Z]\.\.[a-zA-Z])(?:\.\.-?\d+)?$/.test(text)) return null;
  const [first, last] = (/^(\d|[1-9]\d+)\.\.(\d|[1-9]\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (first === undefined || last === undefined || Math.abs(last - first) >= WORDS_MAX)
    return { alternatives: null, end };
  const step = first <= last ? 1 : -1;
  const numbers = Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
  return { alternatives: numbers.map(String), end };
}
