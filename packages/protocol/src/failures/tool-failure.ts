import type { Failure } from './failure.js';

/** A plan or a run that could not be made, as data. Anything thrown instead becomes `plan_failed` or `unhandled_exception`. */
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
