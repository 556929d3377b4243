import { RequestError } from '@agentclientprotocol/sdk';
import { explain, type Failure, type FailureCode } from '@countersign/protocol';

/** A failure as JSON-RPC has it. The message is complete, since many editors show nothing else. */
export function requestFailure(failure: Failure): RequestError {
  const { message, hint } = explain(failure);
  return new RequestError(codeOf(failure.code), `${message} ${hint}`, {
    type: failure.code,
    message,
    hint,
    ...('sessionId' in failure && { sessionId: failure.sessionId }),
  });
}

/** What the editor got wrong itself. */
export const badRequest = (problem: string): RequestError =>
  requestFailure({ code: 'invalid_request', problem });

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
/** Makes the editor offer the login methods, whose descriptions name the variables to set. */
const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

function codeOf(code: FailureCode): number {
  switch (code) {
    case 'model_not_configured':
      return AUTH_REQUIRED;
    case 'unknown_session':
      return NOT_FOUND;
    case 'usage':
    case 'invalid_request':
      return INVALID_PARAMS;
    default:
      return INTERNAL;
  }
}
