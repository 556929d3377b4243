import type { Pattern } from '@countersign/kernel';

/** As Gemini CLI has it: a longer one is a list that belongs into several rules. */
const PATTERN_CHARS_MAX = 2048;
/** Matching takes at most text × program; this keeps a megabyte of arguments to seconds in the very worst case. */
const PROGRAM_STEPS_MAX = 1000;

export type Compiled =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: string };

/**
 * A regular expression that cannot hang: RE2 reads each character once, at the
 * price of look-around and back-references. The engine is loaded when the first
 * pattern is met, since the shipped rules have none.
 */
export async function compilePattern(source: string): Promise<Compiled> {
  if (source.length > PATTERN_CHARS_MAX) {
    return {
      ok: false,
      problem: `it has ${source.length} characters; the limit is ${PATTERN_CHARS_MAX}`,
    };
  }
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    if (compiled.programSize() > PROGRAM_STEPS_MAX) {
      return { ok: false, problem: 'it is too large; use smaller repeat counts, or several rules' };
    }
    return { ok: true, pattern: { source, test: (text) => compiled.test(text) } };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const detail = error.message.replace(/^error parsing regexp: /, '');
    const lookAround = /\(\?[=!<]|\\[1-9]/.test(source)
      ? '; look-ahead, look-behind and back-references are not supported, because they can take unlimited time'
      : '';
    return { ok: false, problem: `${detail}${lookAround}` };
  }
}
