import { ProxyError } from '@countersign/host';
import { type Failure, ToolFailure } from '@countersign/protocol';
import { stripInvisible, untrusted } from '@countersign/tools';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { wordsOf } from '../text/in-words.js';
import { UNUSABLE_ANSWER } from '../transports/read-message.js';

/** Why a request to a server failed, and whether it may have run nevertheless. */
export function failureOf(error: unknown, server: string, tool: string): ToolFailure {
  return error instanceof ToolFailure ? error : new ToolFailure(failure(error, server, tool));
}

function failure(error: unknown, server: string, tool: string): Failure {
  const unknown = (problem: string): Failure => ({ code: 'mcp_outcome_unknown', server, tool, problem });
  if (error instanceof ProtocolError) {
    if (error.code === UNUSABLE_ANSWER) return unknown(error.message);
    const words = untrusted(stripInvisible(error.message.slice(0, ERROR_CHARS_MAX)));
    const message = `The MCP server "${server}" refused ${tool} with error ${error.code}:\n${words}`;
    return { code: 'execution_failed', message, type: MCP_TOOL_ERROR };
  }
  if (wasNeverSent(error))
    return { code: 'mcp_unavailable', server, problem: 'the connection to it is lost' };
  if (error instanceof SdkHttpError) return unknown(`it responded with status ${error.status}`);
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return unknown('the connection was lost');
  return unknown(wordsOf(error));
}

const ERROR_CHARS_MAX = 10_000; // a reason, and no report

/** As Gemini CLI calls it. */
export const MCP_TOOL_ERROR = 'mcp_tool_error';

/** Whether it certainly never arrived: in doubt, it counts as received. */
export function wasNeverSent(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404 || error.status === 401;
  if (!(error instanceof Error)) return false;
  if (error instanceof SdkError) return error.code === SdkErrorCode.NotConnected;
  const { cause } = error;
  if (cause instanceof ProxyError) return true;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return error.message === 'Not connected' || code === 'ECONNREFUSED' || code === 'ENOTFOUND';
}
