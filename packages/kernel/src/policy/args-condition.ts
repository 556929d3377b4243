import { canonicalJson, type JsonObject } from '@countersign/protocol';
import type { Rule } from './rule.js';

/** Whether arguments meet a rule's condition on them. A rule without one is met by any. */
export function meetsArgs(
  { args: condition, decision }: Pick<Rule, 'args' | 'decision'>,
  args: JsonObject,
): boolean {
  if (condition === null) return true;
  switch (condition.type) {
    case 'argument': {
      if (!Object.hasOwn(args, condition.key)) return false;
      const value = args[condition.key];
      if (typeof value === 'string') return condition.pattern.test(value);
      // What a rule forbids as text it also forbids inside a list; what it allows as text may be nothing else.
      return decision !== 'allow' && condition.pattern.test(canonicalJson(value));
    }
    case 'json':
      // Text of all arguments can hold anything anywhere: good enough to forbid, never to allow.
      return decision !== 'allow' && stableTexts(args).some((text) => condition.pattern.test(text));
  }
}

const known = new WeakMap<JsonObject, readonly [string, string]>();

/**
 * The arguments as text, keys sorted: plain, and as Gemini CLI spells it, with
 * a NUL on both sides of each top-level pair. Patterns are written for either.
 */
function stableTexts(args: JsonObject): readonly [string, string] {
  let texts = known.get(args);
  if (texts === undefined) {
    const pairs = Object.keys(args)
      .sort()
      .filter((key) => args[key] !== undefined)
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(args[key])}`);
    texts = [`{${pairs.join(',')}}`, `{${pairs.map((pair) => `\0${pair}\0`).join(',')}}`];
    known.set(args, texts);
  }
  return texts;
}
