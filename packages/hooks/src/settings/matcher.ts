import { compilePattern } from '@countersign/engine';
import { EVENTS, type HookEvent } from '../hook/events.js';
import type { Matcher } from '../hook/hook.js';

export type CompiledMatcher =
  | { readonly ok: true; readonly matcher: Matcher | null; readonly remark: string | null }
  | { readonly ok: false; readonly problem: string };

/**
 * What a matcher means: nothing, an empty one and `*` stand for everything; for tools it is a regular expression that
 * is searched in the name, not one for the whole of it; elsewhere it is a word.
 */
export async function compileMatcher(event: HookEvent, text: string): Promise<CompiledMatcher> {
  const source = text.trim();
  const { matcher: kind } = EVENTS[event];
  if (source === '' || source === '*') return { ok: true, matcher: null, remark: null };
  if (kind === 'pattern') return patternOf(source);
  if (kind === 'none') {
    return { ok: true, matcher: null, remark: `${event} has nothing to match; its hooks run every time` };
  }
  const remark = kind.includes(source)
    ? null
    : `"${source}" never matches; ${event} has ${kind.map((word) => `"${word}"`).join(', ')}`;
  return { ok: true, matcher: { source, test: (subject) => subject === source }, remark };
}

async function patternOf(source: string): Promise<CompiledMatcher> {
  const compiled = await compilePattern(source);
  if (compiled.ok) return { ok: true, matcher: compiled.pattern, remark: null };
  return { ok: false, problem: `it is not a usable regular expression: ${compiled.problem}` };
}
