import { ToolFailure } from '@countersign/protocol';

const ALTERNATIVES_MAX = 200; // `{a,b}{c,d}…` doubles with every pair

/** `*.{ts,tsx}` → `*.ts`, `*.tsx`. Braces without a comma, unclosed or after a backslash stand for themselves. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const alternatives = expandFirst(next);
    if (alternatives === null) done.push(next);
    else pending.push(...alternatives.toReversed());
    if (done.length + pending.length > ALTERNATIVES_MAX) throw tooMany(pattern);
  }
  return done;
}

/** The pattern once for each alternative of its first braces; null if it has none. */
function expandFirst(pattern: string): string[] | null {
  for (let open = nextUnescaped(pattern, '{', 0); open !== -1; open = nextUnescaped(pattern, '{', open + 1)) {
    const parts = partsFrom(pattern, open);
    if (parts === null) continue;
    const before = pattern.slice(0, open);
    return parts.alternatives.map((alternative) => before + alternative + parts.rest);
  }
  return null;
}

function partsFrom(
  pattern: string,
  open: number,
): { readonly alternatives: readonly string[]; readonly rest: string } | null {
  const alternatives: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      alternatives.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      if (alternatives.length === 0) return null;
      return { alternatives: [...alternatives, pattern.slice(start, at)], rest: pattern.slice(at + 1) };
    }
  }
  return null;
}

function nextUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

const tooMany = (pattern: string): ToolFailure =>
  new ToolFailure({
    code: 'invalid_path',
    path: pattern,
    problem: `its braces mean more than ${ALTERNATIVES_MAX} patterns`,
  });
