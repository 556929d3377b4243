import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../contract/problems.js';

/** A handler for `Request` and `Response`, as in browsers. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Answers a request of Node's server by such a handler. Throws a `Refusal` if no `Request` can represent it. */
export async function answerByFetch(
  request: IncomingMessage,
  response: ServerResponse,
  handle: FetchHandler,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { status, headers, body } = await handle(asFetched(request, gone.signal));
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void response.end();
  // A stream may have no data for long, and its client waits for the headers.
  response.flushHeaders();
  // A client that disconnects ends the stream. A broken stream is cut off, so that the client does not take it for complete.
  await pipeline(Readable.fromWeb(body), response).catch(() => response.destroy());
}

function asFetched(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers, rawHeaders } = request;
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] satisfies [string, string]] : [],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(`http://${headers.host}${url}`, {
      method,
      headers: pairs,
      signal,
      ...(hasBody && { body: request, duplex: 'half' }),
    });
  } catch (thrown) {
    throw new Refusal({ code: 'malformed_request', problem: thrown instanceof Error ? thrown.message : '' });
  }
}
