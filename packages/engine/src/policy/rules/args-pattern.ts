import type { ArgsCondition } from '@countersign/kernel';
import type { PolicyDecision } from '@countersign/protocol';
import { compilePattern } from './pattern.js';

/**
 * Gemini CLI matches `argsPattern` on the text of all arguments, so that one
 * argument can pose as another. Nearly all such patterns mean one argument:
 * `"file_path":"src/` says that `file_path` begins with `src/`. Those are tied
 * to that argument here; `rest` is what its value must begin with.
 */
export type Translation =
  | {
      readonly type: 'argument';
      readonly key: string;
      readonly rest: string;
      readonly ends: 'open' | 'closed';
    }
  | { readonly type: 'untied'; readonly why: string };

/** How a NUL is written in patterns. `\\0` was written by mistake and by many: a backslash and a zero never occur there. */
const NUL = String.raw`\\\\?(?:0|x00|u0000)`;
const BLANKS = String.raw`(?:\\s[*?+]?| [*?+]?)?`;
const BEFORE_KEY = new RegExp(String.raw`^(?:\^|\.\*\??|\\?\{|${NUL})*`);
const KEY = new RegExp(String.raw`^\\?"((?:[\w$-]|\\[-._])+)\\?"${BLANKS}:${BLANKS}\\?"`);
const AFTER_VALUE = new RegExp(String.raw`^(?:${NUL}|\\?[},]|\$|\.\*\??)*$`);

export function translateArgsPattern(source: string): Translation {
  const from = source.slice(BEFORE_KEY.exec(source)?.[0].length ?? 0);
  const head = KEY.exec(from);
  if (!head) return { type: 'untied', why: 'it does not begin with "key":"' };
  const key = (head[1] ?? '').replaceAll('\\', '');
  const rest = from.slice(head[0].length);

  const shape = shapeOf(rest);
  if (shape.alternatives) return { type: 'untied', why: 'it has alternatives that are not in parentheses' };
  if (!shape.balanced) return { type: 'untied', why: 'its brackets do not match' };
  if (shape.closingQuote === null) return { type: 'argument', key, rest, ends: 'open' };
  const { from: quoteFrom, to: quoteTo } = shape.closingQuote;
  if (!AFTER_VALUE.test(rest.slice(quoteTo))) {
    return { type: 'untied', why: 'it continues past the end of that argument' };
  }
  return { type: 'argument', key, rest: rest.slice(0, quoteFrom), ends: 'closed' };
}

export type ArgumentCondition = Extract<ArgsCondition, { type: 'argument' }>;

/**
 * The pattern is about JSON text, where a quote is `\"` and a backslash `\\`,
 * so it is tried on the value as JSON spells it, up to its closing quote. What
 * forbids is tried on the value itself as well: an author who forgot about the
 * escapes meant to forbid it.
 */
export async function conditionOnArgument(
  { key, rest, ends }: Extract<Translation, { type: 'argument' }>,
  decision: PolicyDecision,
): Promise<
  | { readonly ok: true; readonly condition: ArgumentCondition }
  | { readonly ok: false; readonly problem: string }
> {
  const allows = decision === 'allow';
  const body = ends === 'closed' ? `${rest}"` : rest;
  const compiled = await compilePattern(
    String.raw`\A(?:${body})${allows && ends === 'closed' ? String.raw`\z` : ''}`,
  );
  if (!compiled.ok) return compiled;
  const whole = compiled.pattern;
  const asJson = (value: string) => JSON.stringify(value).slice(1);
  const pattern = {
    source: whole.source,
    test: allows
      ? (value: string) => whole.test(asJson(value))
      : (value: string) => whole.test(asJson(value)) || whole.test(`${value}"`),
  };
  return { ok: true, condition: { type: 'argument', key, pattern } };
}

type Shape = {
  /** A `|` that is in no parentheses. */
  readonly alternatives: boolean;
  readonly balanced: boolean;
  /** The first quote that can only be the end of the value. */
  readonly closingQuote: { readonly from: number; readonly to: number } | null;
};

function shapeOf(pattern: string): Shape {
  let alternatives = false;
  let depth = 0;
  let closingQuote: Shape['closingQuote'] = null;
  /** Literal backslashes directly before: after an odd number of them, JSON has a quote inside the value. */
  let backslashes = 0;
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at];
    const escaped = char === '\\' ? pattern[at + 1] : undefined;
    const next = char === '[' ? endOfClass(pattern, at) : at + (char === '\\' ? 2 : 1);
    // Between \Q and \E brackets mean nothing, so that counting them would mislead.
    if (next > pattern.length || escaped === 'Q') return { alternatives, balanced: false, closingQuote };
    if ((char === '"' || escaped === '"') && backslashes % 2 === 0) closingQuote ??= { from: at, to: next };
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (depth < 0) return { alternatives, balanced: false, closingQuote };
    if (char === '|' && depth === 0) alternatives = true;
    backslashes = escaped === '\\' ? backslashes + 1 : 0;
    at = next;
  }
  return { alternatives, balanced: depth === 0, closingQuote };
}

/** Behind the `]` that ends a class; beyond the pattern if none does. */
function endOfClass(pattern: string, from: number): number {
  let at = from + (pattern[from + 1] === '^' ? 2 : 1);
  if (pattern[at] === ']') at++;
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
  return at + 1;
}
