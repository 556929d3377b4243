import { commandEnd, doubtAbout, resultOf } from '@countersign/kernel';
import { type Failure, type FailureCode, type SettledCall } from '@countersign/protocol';
import type { ToolCallResponseInfo } from '../types/call-types.js';
import { explainFailure } from './explain-failure.js';

export {
  convertToFunctionResponse,
  errorResponse,
  type FunctionResponsePart,
  type Part,
  type PartListUnion,
  type PartUnion,
} from '@countersign/kernel';

/** The result of a settled call, as the library returns it: parts for the model, a display for people. */
export function responseInfoOf(call: SettledCall): ToolCallResponseInfo {
  const { parts: responseParts, display: resultDisplay } = resultOf(call);
  const info = { callId: call.request.wireId, responseParts, resultDisplay };
  switch (call.status) {
    case 'success': {
      const { exitCode } = call.result;
      const ended = { error: undefined, errorType: undefined, ...(exitCode !== undefined && { exitCode }) };
      return { ...info, ...ended };
    }
    case 'error': {
      const error = new ToolCallError(call.failure);
      return {
        ...info,
        error,
        errorType: errorTypeOf(call.failure),
        ...commandEnd(call),
        ...doubtAbout(call),
      };
    }
    case 'cancelled':
      return { ...info, error: undefined, errorType: call.reason.type, ...doubtAbout(call) };
  }
}

/** The failure of a call as an `Error` that can be switched on by `code` and survives `JSON.stringify`. */
export class ToolCallError extends Error {
  readonly code: FailureCode;
  /** What to do next. */
  readonly hint: string;

  constructor(failure: Failure) {
    const { message, hint } = explainFailure(failure);
    super(message);
    this.name = 'ToolCallError';
    this.code = failure.code;
    this.hint = hint;
  }

  toJSON(): Pick<ToolCallError, 'name' | 'message' | 'code' | 'hint'> {
    return { name: this.name, message: this.message, code: this.code, hint: this.hint };
  }
}

/** A tool's own name for its fault, where it gave one. */
const errorTypeOf = (failure: Failure): string =>
  failure.code === 'execution_failed' ? (failure.type ?? failure.code) : failure.code;
