import { type Failure, ToolFailure } from '@countersign/protocol';

/** The failure that work is expected to end in. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolFailure) return error.failure;
    throw error;
  }
  throw new Error('it succeeded, where a failure was expected');
}
