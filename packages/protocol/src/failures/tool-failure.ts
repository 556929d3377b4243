import type { Failure } from './failure.js';

/**
 * Thrown by a plan or a run that fails in an expected way; the failure is data. Anything else that is thrown becomes
 * `plan_failed` or `unhandled_exception`.
 *
 * @example
 * ```ts
 * const failure: Failure = { code: 'execution_failed', message: 'The queue is full.' };
 * throw new ToolFailure(failure, 'nothing'); // 'nothing': the failed run had no effect
 * ```
 */
export class ToolFailure extends Error {
  constructor(
    readonly failure: Failure,
    /** What the failed run left to show, for the model and the person. */
    readonly output: string | null = null,
  ) {
    super(failure.code);
    this.name = 'ToolFailure';
  }
}
