import { ToolFailure } from '@countersign/protocol';

/** A regular expression that is tried on one line: where it matches first; -1 if nowhere. */
export type LinePattern = (line: string) => number;

export type PatternOptions = {
  readonly argument: 'pattern' | 'exclude_pattern';
  readonly source: string;
  readonly letterCase: 'matters' | 'ignored';
  readonly meaning: 'regular expression' | 'literal';
};

/** Matching takes at most line × program; this keeps a line of a megabyte to seconds in the very worst case. */
const PROGRAM_STEPS_MAX = 1_000;

/** Made with RE2, which reads each character once, so that no pattern can hang. It is loaded when first needed. */
export async function compileLinePattern(options: PatternOptions): Promise<LinePattern> {
  const { RE2JS, RE2JSException } = await import('re2js');
  const source = options.meaning === 'literal' ? RE2JS.quote(options.source) : options.source;
  try {
    const compiled = RE2JS.compile(source, options.letterCase === 'ignored' ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() > PROGRAM_STEPS_MAX)
      throw patternProblem(options.argument, 'it is too large; use smaller repeat counts');
    return (line) => {
      const matcher = compiled.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw patternProblem(options.argument, error.message.replace(/^error parsing regexp: /, ''));
  }
}

export const patternProblem = (argument: PatternOptions['argument'], problem: string): ToolFailure =>
  new ToolFailure({
    code: 'invalid_tool_params',
    name: 'grep_search',
    problems: [
      `"${argument}" is not a usable regular expression: ${problem}${argument === 'pattern' ? '; to search for it as literal text, set "fixed_strings" to true' : ''}`,
    ],
  });
