import { readFailure } from '@countersign/host';
import { explain, ToolFailure } from '@countersign/protocol';

/** Why something could not be read, in a sentence. Throws an error that is a bug of ours. */
export function readProblem(error: unknown, shown: string): string {
  const failure = readFailure(error, shown);
  if (failure instanceof ToolFailure) return explain(failure.failure).message;
  throw failure;
}
