import {
  type CallRequest,
  type CancelledCall,
  cancelText,
  type ErroredCall,
  explain,
  type Json,
  type ModelContent,
  type SettledCall,
  type SuccessfulCall,
} from '@countersign/protocol';
import { type FunctionResponsePart, type Part, type PartListUnion, piecesOf } from './gemini-part.js';

const SUCCEEDED = 'Tool execution succeeded.';
const PARTIAL_MARK = '[Partial output: the call did not finish.]';
const COMPLETE_MARK =
  '[The call had finished when it was cancelled. It took effect, and this is its whole result.]';
const DOUBT =
  '[The call had started and may have taken effect, in whole or in part. Check before repeating it.]';
/** The model must learn what ran instead of what it asked for, but not at the price of its whole context. */
const CHANGED_ARGS_CHARS_MAX = 20_000;

/**
 * Converts a tool's content for the model into Gemini's response to a function call. Text gives a single part; everything
 * else gives a list that begins with the function response (SPEC L4).
 *
 * @example
 * ```ts
 * show(convertToFunctionResponse('read_file', 'a', 'hello'));
 * // { functionResponse: { id: 'a', name: 'read_file', response: { output: 'hello' } } }
 * ```
 */
export function convertToFunctionResponse(
  toolName: string,
  callId: string,
  llmContent: PartListUnion | ModelContent,
): FunctionResponsePart | FunctionResponsePart[] {
  const answer = (output: string) => responsePart(callId, toolName, { output });
  const content = unwrapped(piecesOf(llmContent));
  if (typeof content === 'string') return answer(content);
  if (isSeveral(content)) return [answer(SUCCEEDED), ...content.map(asPart)];
  if (content.functionResponse) {
    const text = textOf(content.functionResponse.response?.content);
    return text === null ? [content] : answer(text);
  }
  const binary = content.inlineData ?? content.fileData;
  if (binary)
    return [answer(`Binary content of type ${binary.mimeType || 'unknown'} was processed.`), content];
  return content.text === undefined ? [answer(SUCCEEDED), content] : answer(content.text);
}

/** What the model receives for a failed call: a single part with `{ error: message }`. */
export function errorResponse(callId: string, toolName: string, message: string): FunctionResponsePart {
  return responsePart(callId, toolName, { error: message });
}

/** The result of a settled call: parts for the model, a display for people. */
export function resultOf(call: SettledCall): {
  readonly parts: FunctionResponsePart[];
  readonly display: Json;
} {
  const { wireId } = call.request;
  switch (call.status) {
    case 'success': {
      const parts = convertToFunctionResponse(nameForModel(call.request), wireId, contentOf(call));
      return { parts: isSeveral(parts) ? [...parts] : [parts], display: call.result.returnDisplay };
    }
    case 'error':
      return withoutResult(call, explain(call.failure).message);
    case 'cancelled':
      return withoutResult(call, cancelText(call.reason));
  }
}

/** The model pairs answer and question by the name it used itself, be it an alias. */
const nameForModel = ({ followUp, calledAs, name }: CallRequest): string =>
  followUp?.name ?? calledAs ?? name;

function withoutResult(call: ErroredCall | CancelledCall, message: string): ReturnType<typeof resultOf> {
  const { wireId: callId } = call.request;
  const name = nameForModel(call.request);
  const partial = call.partial?.output ? markedOutput(call, call.partial.output) : null;
  const display = partial === null ? message : `${message}\n${partial}`;
  const change = call.status === 'error' ? changeOf(call.request) : null;
  const left = [partial, change, doubtText(call)].filter((text) => text !== null);
  const part =
    left.length === 0
      ? errorResponse(callId, name, message)
      : responsePart(callId, name, {
          error: message,
          output: left.join('\n\n'),
          ...commandEnd(call),
          ...doubtAbout(call),
        });
  return { parts: [part], display };
}

/** Exit code and signal of a command that failed (TOOLS.md); nothing for other calls. */
export function commandEnd(call: ErroredCall | CancelledCall): { exitCode?: number; signal?: string } {
  if (call.status !== 'error') return {};
  const { failure } = call;
  if (failure.code === 'sandbox_denied') return { exitCode: failure.exitCode };
  if (failure.code !== 'command_failed') return {};
  return { exitCode: failure.exitCode, ...(failure.signal !== null && { signal: failure.signal }) };
}

/**
 * Whether a call that has no result may have taken effect, or is known to have finished when it was cancelled: never both. A
 * command with an exit code ran to its end: there is no doubt about it.
 */
export function doubtAbout(call: SettledCall): { mayHaveHappened?: true; complete?: true } {
  if (call.status === 'success' || !call.partial?.mayHaveHappened || 'exitCode' in commandEnd(call))
    return {};
  return call.partial.complete ? { complete: true } : { mayHaveHappened: true };
}

/** The same for a model or a person; null if there is no doubt, or the output says it. */
export function doubtText(call: SettledCall): string | null {
  const { mayHaveHappened, complete } = doubtAbout(call);
  if (mayHaveHappened) return DOUBT;
  if (!complete) return null;
  return call.status !== 'success' && call.partial?.output ? null : COMPLETE_MARK;
}

/** What a call without a result has left, marked as partial unless it is all there is. */
export function markedOutput(call: ErroredCall | CancelledCall, output: string): string {
  // A command that failed ran to its end: what it printed is all there is.
  if ('exitCode' in commandEnd(call)) return output;
  return `${output}\n${call.partial?.complete ? COMPLETE_MARK : PARTIAL_MARK}`;
}

function contentOf({ request, result: { llmContent } }: SuccessfulCall): PartListUnion | ModelContent {
  const change = changeOf(request);
  if (change === null) return llmContent;
  const pieces = unwrapped(piecesOf(llmContent));
  if (typeof pieces === 'string') return `${pieces}\n\n${change}`;
  return isSeveral(pieces) ? [...pieces, change] : [pieces, change];
}

const BY_HOOK = 'hook ';

/** People and hooks may replace arguments, and the model is informed (SPEC A4). */
function changeOf({ revision, args, changedBy }: CallRequest): string | null {
  if (revision === 0) return null;
  const text = JSON.stringify(args);
  const shown =
    text.length <= CHANGED_ARGS_CHARS_MAX
      ? text
      : `${text.slice(0, CHANGED_ARGS_CHARS_MAX)} [${text.length - CHANGED_ARGS_CHARS_MAX} more characters omitted]`;
  const who = changedBy?.startsWith(BY_HOOK) ? 'A hook' : 'The user';
  return `${who} changed the arguments of this call before it ran. The new arguments: ${shown}`;
}

const responsePart = (id: string, name: string, response: Record<string, unknown>): FunctionResponsePart => ({
  functionResponse: { id, name, response },
});

function unwrapped<T>(content: T | readonly T[]): T | readonly T[] {
  const [only, ...others] = isSeveral(content) ? content : [];
  return only !== undefined && others.length === 0 ? only : content;
}

const isSeveral = <T>(content: T | readonly T[]): content is readonly T[] => Array.isArray(content);

const asPart = (piece: Part | string): Part => (typeof piece === 'string' ? { text: piece } : piece);

/** The text of a function response's `content`; null if it is nothing that holds text. */
function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (isSeveral(content)) return content.map((piece) => textOf(piece) ?? '').join('');
  if (typeof content !== 'object' || content === null || !('text' in content)) return null;
  return typeof content.text === 'string' ? content.text : null;
}
