import { EVENTS, type HookEvent } from '../events.js';
import type { Matcher } from '../hook.js';

export type CompiledMatcher =
  | { readonly ok: true; readonly matcher: Matcher | null; readonly remark: string | null }
  | { readonly ok: false; readonly problem: string };

/** As for the patterns of policy: a longer one is a list that belongs into several groups. */
const PATTERN_CHARS_MAX = 2048;

/**
 * What a matcher means: nothing, an empty one and `*` stand for everything; for tools it is a regular expression that
 * is searched in the name, not one for the whole of it; elsewhere it is a word.
 */
export async function compileMatcher(event: HookEvent, text: string): Promise<CompiledMatcher> {
  const source = text.trim();
  const { matcher: kind } = EVENTS[event];
  if (source === '' || source === '*') return { ok: true, matcher: null, remark: null };
  if (kind === 'pattern') return compilePattern(source);
  if (kind === 'none') {
    return { ok: true, matcher: null, remark: `${event} has nothing to match; its hooks run every time` };
  }
  const remark = kind.includes(source)
    ? null
    : `"${source}" never matches; ${event} knows ${kind.map((word) => `"${word}"`).join(', ')}`;
  return { ok: true, matcher: { source, test: (subject) => subject === source }, remark };
}

/** RE2 reads each character once, so that no pattern can hang; look-around and back-references are the price. */
async function compilePattern(source: string): Promise<CompiledMatcher> {
  if (source.length > PATTERN_CHARS_MAX) {
    return {
      ok: false,
      problem: `it has ${source.length} characters; at most ${PATTERN_CHARS_MAX} are possible`,
    };
  }
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return { ok: true, matcher: { source, test: (subject) => pattern.test(subject) }, remark: null };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const detail = error.message.replace(/^error parsing regexp: /, '');
    return { ok: false, problem: `it is no regular expression that can be used here: ${detail}` };
  }
}
