import { commandEnd, doubtAbout, resultOf } from '@countersign/kernel';
import { cancelText, explain, type Failure, type SettledCall } from '@countersign/protocol';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

type Unsuccessful = Exclude<SettledCall, { status: 'success' }>;

/** The result of a call in the protocol's terms; the same that our own model would receive. */
export function callResult(call: SettledCall): CallToolResult {
  const uri = `countersign:call/${encodeURIComponent(call.request.callId)}`;
  const content = resultOf(call).parts.flatMap((part) => contentOf(part, uri));
  if (call.status === 'success') return { content: withoutFiller(content) };
  const error = errorOf(call);
  const hint = error.hint === undefined ? [] : [text(error.hint)];
  return { content: [...content, ...hint], structuredContent: { error }, isError: true };
}

/** A request that did not become a call. */
export function refusal(failure: Failure): CallToolResult {
  const error = { type: failure.code, ...explain(failure) };
  return {
    content: [text(`${error.message}\n${error.hint}`)],
    structuredContent: { error },
    isError: true,
  };
}

type ErrorWords = { readonly type: string; readonly message: string; readonly hint?: string };

/** For programs: what kind of failure it is, and whether something may have happened all the same. */
function errorOf(call: Unsuccessful): ErrorWords {
  const doubt = doubtAbout(call);
  if (call.status === 'cancelled')
    return { type: call.reason.type, message: cancelText(call.reason), ...doubt };
  return { type: call.failure.code, ...explain(call.failure), ...commandEnd(call), ...doubt };
}

type ResponsePart = ReturnType<typeof resultOf>['parts'][number];

/** `uri`: names what has no name of its own. */
function contentOf(part: ResponsePart, uri: string): ContentBlock[] {
  const { functionResponse, inlineData } = part;
  if (functionResponse) {
    const { error, output } = functionResponse.response ?? {};
    return [error, output].flatMap((words) => (typeof words === 'string' ? [text(words)] : []));
  }
  if (typeof part.text === 'string') return [text(part.text)];
  if (inlineData?.data === undefined) return [text(JSON.stringify(part))];
  const { data, mimeType = 'application/octet-stream' } = inlineData;
  if (mimeType.startsWith('image/')) return [{ type: 'image', data, mimeType }];
  if (mimeType.startsWith('audio/')) return [{ type: 'audio', data, mimeType }];
  return [{ type: 'resource', resource: { uri, mimeType, blob: data } }];
}

/** What stands in for an answer to the function call itself says nothing beside real content. */
function withoutFiller(content: ContentBlock[]): ContentBlock[] {
  const [, ...real] = content;
  return real.length === 0 ? content : real;
}

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
