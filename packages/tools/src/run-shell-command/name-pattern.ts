/** A part of a shell's pattern for names of files. */
export type Token = { readonly kind: 'any' | 'one' | 'set' | 'literal'; readonly text: string };

/** null if the pattern is of a kind that only some shells know. */
export function tokensOf(pattern: string): readonly Token[] | null {
  if (/[@+!?*]\(/.test(pattern)) return null;
  const tokens: Token[] = [];
  let rest = pattern;
  while (rest !== '') {
    const set = SET.exec(rest)?.[0];
    const [first = ''] = rest;
    const text = set ?? first;
    tokens.push({ kind: set === undefined ? kindOf(first) : 'set', text });
    rest = rest.slice(text.length);
  }
  return tokens;
}

const SET = /^\[[!^]?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/;

const kindOf = (character: string): Token['kind'] => {
  if (character === '*') return 'any';
  return character === '?' || character === '[' ? 'one' : 'literal';
};

/**
 * Whether a name fits, in whatever letter case. Takes as long as pattern and name are long together, at most multiplied:
 * only the last `*` is ever tried again.
 */
export function fits(tokens: readonly Token[], name: string): boolean {
  const characters = Array.from(name);
  let token = 0;
  let at = 0;
  let lastAny = -1;
  let triedFrom = 0;
  while (at < characters.length) {
    const next = tokens[token];
    if (next?.kind === 'any') {
      lastAny = token++;
      triedFrom = at;
    } else if (next !== undefined && fitsOne(next, characters[at] ?? '')) {
      token++;
      at++;
    } else if (lastAny >= 0) {
      token = lastAny + 1;
      at = ++triedFrom;
    } else return false;
  }
  while (tokens[token]?.kind === 'any') token++;
  return token === tokens.length;
}

function fitsOne({ kind, text }: Token, character: string): boolean {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  switch (kind) {
    case 'any':
    case 'one':
      return true;
    case 'literal':
      return cases.includes(text.toLowerCase()) || cases.includes(text.toUpperCase());
    case 'set':
      return setFits(text, cases);
  }
}

/** Of a set that is not plain, any character may be meant: which ones it holds depends on the language that is set. */
function setFits(set: string, cases: readonly string[]): boolean {
  const [, negation, members = ''] = PLAIN_SET.exec(set) ?? [];
  if (negation === undefined) return true;
  const holds = (character: string) =>
    [...members.matchAll(/(.)-(.)|./g)].some(([one, from, to]) =>
      from !== undefined && to !== undefined ? from <= character && character <= to : one === character,
    );
  return cases.some((character) => holds(character) === (negation === ''));
}

const PLAIN_SET = /^\[([!^]?)([\w.,@%+ ]+(?:-\w)?[\w.]*)\]$/;
