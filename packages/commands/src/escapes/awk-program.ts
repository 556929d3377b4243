import type { NamedFile } from './sed-script.js';

/**
 * Why an awk program does more than read what it is given and print: it runs a
 * command, writes a file, loads code or reads a file whose name is not known. null if it does none of these; what is not understood
 * is said to be so.
 */
export function awkProgramEscape(program: string): string | null {
  const tokens = tokenize(program);
  if (tokens === null) return 'is an awk program that cannot be parsed';
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'name' && text === 'system') return 'runs another program (system)';
    if (text === '@') return 'loads code or calls a function whose name is not known';
    if (kind === 'operator' && (text === '|' || text === '|&')) return 'runs another program (a pipe)';
    if (kind === 'string' && text.includes('/inet')) return 'opens a network connection';
    if (kind === 'name' && (text === 'print' || text === 'printf') && writesFile(tokens, index + 1)) {
      return 'writes a file (a redirected print)';
    }
    if (kind === 'name' && /^(?:ARGV|SYMTAB|FUNCTAB)$/.test(text)) return 'may change which files it reads';
    if (kind === 'name' && text === 'getline' && fileRead(tokens, index + 1) === 'not known')
      return 'reads a file whose name is known only when it runs (getline)';
  }
  return null;
}

/** The files that a program names for `getline` and `print`; as far as it is understood. */
export function awkProgramFiles(program: string): readonly NamedFile[] {
  const tokens = tokenize(program) ?? [];
  return tokens.flatMap(({ kind, text }, index): NamedFile[] => {
    if (kind !== 'name') return [];
    const read = text === 'getline' ? fileRead(tokens, index + 1) : null;
    if (typeof read === 'object' && read !== null) return [{ path: read.path, access: 'reads' }];
    const at = /^printf?$/.test(text) ? writtenAt(tokens, index + 1) : null;
    const written = at === null ? null : fixedString(tokens[at + 1]);
    return written === null ? [] : [{ path: written, access: 'writes' }];
  });
}

/** What `getline` takes its line from: null for the input that the program is given anyway. */
function fileRead(tokens: readonly Token[], from: number): { readonly path: string } | 'not known' | null {
  // `getline`, `getline x`, `getline $n` or `getline a[i]`, and then perhaps `< file`.
  let at = from;
  if (tokens[at]?.text === '$') at += 1;
  if (tokens[at]?.kind === 'name' || tokens[at]?.kind === 'number') at += 1;
  let depth = 0;
  for (; at < tokens.length && (depth > 0 || /^[[(]$/.test(tokens[at]?.text ?? '')); at += 1) {
    if (/^[[(]$/.test(tokens[at]?.text ?? '')) depth += 1;
    if (/^[\])]$/.test(tokens[at]?.text ?? '')) depth -= 1;
  }
  if (tokens[at]?.text !== '<') return null;
  const path = fixedString(tokens[at + 1]);
  // Two strings side by side are one.
  const isWhole = /^(?:[;})\n]|&&|\|\|)$/.test(tokens[at + 2]?.text ?? '\n');
  return path === null || !isWhole ? 'not known' : { path };
}

/** A string without escapes, which awks read differently. */
const fixedString = (token: Token | undefined): string | null =>
  token?.kind === 'string' && !token.text.includes('\\') ? token.text.slice(1, -1) : null;

type Token = { readonly kind: 'name' | 'number' | 'string' | 'regex' | 'operator'; readonly text: string };

const SCANNERS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['name', /[A-Za-z_]\w*(?:::\w+)?/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y],
  ['string', /"(?:\\[^]|[^"\\\n])*"/y],
  ['operator', /\|\||&&|\|&|>>|\+\+|--|[<>=!]=|[^\s\w"]/y],
];
const BLANKS = /(?:[ \t\r]|\\\n|#[^\n]*)*/y;
const REGEX = /\/(?:\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])*\//y;

function tokenize(program: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(program)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  for (;;) {
    take(BLANKS);
    if (at >= program.length) return tokens;
    if (program[at] === '\n') {
      at += 1;
      tokens.push({ kind: 'operator', text: '\n' });
      continue;
    }
    if (program[at] === '/') {
      const role = slashAfter(tokens);
      if (role === 'unclear') return null;
      if (role === 'regex') {
        const text = take(REGEX);
        // A slash in brackets ends the expression in some awks and not in others.
        if (text === null || /\[[^\]]*\//.test(text.slice(1, -1))) return null;
        tokens.push({ kind: 'regex', text });
        continue;
      }
    }
    const token = nextToken(take);
    if (token === null) return null;
    tokens.push(token);
  }
}

function nextToken(take: (pattern: RegExp) => string | null): Token | null {
  for (const [kind, pattern] of SCANNERS) {
    const text = take(pattern);
    if (text !== null) return { kind, text };
  }
  return null;
}

/** A slash divides after a value and begins an expression elsewhere; after some words awks differ. */
function slashAfter(tokens: readonly Token[]): 'regex' | 'division' | 'unclear' {
  const previous = tokens.at(-1);
  if (previous === undefined) return 'regex';
  switch (previous.kind) {
    case 'number':
    case 'string':
      return 'division';
    case 'regex':
      return 'unclear';
    case 'name':
      if (/^(?:getline|length|next|nextfile|break|continue|func|function)$/.test(previous.text))
        return 'unclear';
      return /^(?:print|printf|return|in|case|exit|delete|else|do)$/.test(previous.text)
        ? 'regex'
        : 'division';
    case 'operator':
      if (previous.text === ']') return 'division';
      if (previous.text === ')') return closesCondition(tokens) ? 'unclear' : 'division';
      return /^(?:\+\+|--|\$)$/.test(previous.text) ? 'unclear' : 'regex';
  }
}

/** `if (x) /re/ …` and `(a) / b` look the same but for the word before the parentheses. */
function closesCondition(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const { kind, text } = tokens[index] ?? { kind: 'operator', text: '' };
    if (kind !== 'operator') continue;
    if (text === ')') depth += 1;
    if (text === '(') depth -= 1;
    if (depth === 0) return /^(?:if|while|for|switch)$/.test(tokens[index - 1]?.text ?? '');
  }
  return true;
}

const HARMLESS_FILE = /^"\/dev\/(?:stdout|stderr|null)"$/;

function writesFile(tokens: readonly Token[], from: number): boolean {
  const at = writtenAt(tokens, from);
  if (at === null) return false;
  const after = tokens[at + 2]?.text ?? '}';
  return !(HARMLESS_FILE.test(tokens[at + 1]?.text ?? '') && /^[;}\n]$/.test(after));
}

/** In a print statement `>` writes a file, unless it stands in parentheses. */
function writtenAt(tokens: readonly Token[], from: number): number | null {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] ?? { kind: 'operator', text: '\n' };
    if (kind !== 'operator') continue;
    if (text === '(' || text === '[') depth += 1;
    if (text === ')' || text === ']') depth -= 1;
    const goesOn = text === '\n' && /^(?:,|&&|\|\|)$/.test(tokens[index - 1]?.text ?? '');
    if (depth <= 0 && !goesOn && (text === ';' || text === '\n' || text === '}')) return null;
    if (depth <= 0 && (text === '>' || text === '>>' || text === '>=')) return index;
  }
  return null;
}
