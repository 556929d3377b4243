/** Where a table begins and where each of its keys is first written. Lines count from 1. */
export type TableLines = { readonly header: number; readonly keys: ReadonlyMap<string, number> };

export type TomlLines = {
  /** The tables of each `[[name]]`, in order; keys of `[name.inner]` count as the key `inner`. */
  readonly arrays: ReadonlyMap<string, readonly TableLines[]>;
  /** The first line that mentions each name at the top: a key, `[name]` or `[[name]]`. */
  readonly top: ReadonlyMap<string, number>;
};

/**
 * The parser returns the values of a document but not their lines. This finds the lines for
 * messages, in text that the parser has accepted: it need not recognise errors,
 * but must not take the inside of a string or comment for a key.
 */
export function tomlLines(text: string): TomlLines {
  const arrays = new Map<string, { header: number; keys: Map<string, number> }[]>();
  const top = new Map<string, number>();
  let current: Map<string, number> | null = null;

  for (const { line, path, opens } of statements(text)) {
    const [first, second] = path;
    if (first === undefined) continue;
    if (opens === null) {
      noteFirst(current ?? top, first, line);
      continue;
    }
    noteFirst(top, first, line);
    const tables = arrays.get(first) ?? [];
    if (second === undefined && opens === 'array') {
      const table = { header: line, keys: new Map<string, number>() };
      tables.push(table);
      arrays.set(first, tables);
      current = table.keys;
    } else {
      const owner = tables.at(-1);
      if (owner !== undefined && second !== undefined) noteFirst(owner.keys, second, line);
      // What follows belongs to an inner table: its keys are not those of the rule.
      current = new Map();
    }
  }
  return { arrays, top };
}

/** A line that names something: `[a.b]`, `[[a]]`, or `a.b = value`. */
type Statement = {
  readonly line: number;
  readonly path: readonly string[];
  readonly opens: 'table' | 'array' | null;
};

function statements(text: string): Statement[] {
  const found: Statement[] = [];
  let at = 0;
  let line = 1;

  const advance = (to: number) => {
    for (; at < to; at++) if (text[at] === '\n') line++;
  };

  while (at < text.length) {
    const char = text[at];
    if (char === '#') advance(endOfLine(text, at));
    else if (char === '[') {
      const opens = text[at + 1] === '[' ? 'array' : 'table';
      const end = endOfKey(text, at + (opens === 'array' ? 2 : 1), ']');
      found.push({ line, path: pathOf(text.slice(at + (opens === 'array' ? 2 : 1), end)), opens });
      advance(endOfLine(text, end));
    } else if (char !== undefined && !/\s/.test(char)) {
      const end = endOfKey(text, at, '=');
      found.push({ line, path: pathOf(text.slice(at, end)), opens: null });
      advance(endOfValue(text, end + 1));
    } else advance(at + 1);
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function endOfKey(text: string, from: number, closer: ']' | '='): number {
  let at = from;
  while (at < text.length && text[at] !== closer && text[at] !== '\n')
    at = isQuote(text[at]) ? endOfString(text, at) : at + 1;
  return at;
}

/** A value ends with its line, unless a bracket is open: then it continues. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (isQuote(char)) at = endOfString(text, at);
    else if (char === '#') at = endOfLine(text, at);
    else if (char === '\n' && depth === 0) return at;
    else {
      if (char === '[' || char === '{') depth++;
      if (char === ']' || char === '}') depth--;
      at++;
    }
  }
  return at;
}

function endOfString(text: string, from: number): number {
  const quote = text.charAt(from);
  const escapes = quote === '"';
  const fence = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  let at = from + fence.length;
  while (at < text.length && !text.startsWith(fence, at)) {
    if (fence.length === 1 && text[at] === '\n') return at;
    at += escapes && text[at] === '\\' ? 2 : 1;
  }
  at += fence.length;
  // A multi-line string may end in up to two quotes of its own, before the three that close it.
  if (fence.length === 3) while (text[at] === quote) at++;
  return Math.min(at, text.length);
}

const isQuote = (char: string | undefined): boolean => char === '"' || char === "'";

/** The parts of a dotted key. Quoted parts are taken as written: no key of a rule needs escapes. */
function pathOf(key: string): string[] {
  const parts = key.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^.\s'"]+/g) ?? [];
  return parts.map((part) => (isQuote(part[0]) ? part.slice(1, -1) : part));
}

function noteFirst(lines: Map<string, number>, key: string, line: number): void {
  if (!lines.has(key)) lines.set(key, line);
}
