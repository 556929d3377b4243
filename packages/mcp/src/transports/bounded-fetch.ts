import { proxiedFetch } from '@countersign/host';
import type { FetchLike } from '@modelcontextprotocol/client';

const REDIRECTS_MAX = 3; // a slash more, another path: more is a loop

/** `fetch`, of whose answers no message may be longer than this. What was packed counts as it is when unpacked. */
export const boundedFetch =
  (bytesMax: number): FetchLike =>
  async (url, init) => {
    const response = await fetchHere(new URL(url), init, REDIRECTS_MAX);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = response.body.pipeThrough(limit(bytesMax, isStream ? 'each event' : 'the whole'));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

/**
 * Only the server that the settings name is spoken with: what is sent may hold secrets in any header, and is not to be
 * said twice. A server may have it at another path of its own.
 */
async function fetchHere(url: URL, init: RequestInit | undefined, redirects: number): Promise<Response> {
  const response = await proxiedFetch(url, init);
  const location = response.headers.get('location');
  if (response.status < 300 || response.status >= 400 || location === null) return response;
  await response.body?.cancel();
  const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
  // Other redirects would turn what is sent into a question.
  const isSame = SAME_REQUEST.includes(response.status) || (init?.method ?? 'GET') === 'GET';
  if (target?.origin !== url.origin || !isSame)
    throw new Error(`it redirects to ${location}; if that is the right server, put its URL in the settings`);
  if (redirects === 0) throw new Error('it redirects too often');
  return fetchHere(target, init, redirects - 1);
}

const SAME_REQUEST: readonly number[] = [307, 308];

function limit(bytesMax: number, what: 'each event' | 'the whole'): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = what === 'each event' ? lastEventEnd(chunk) : -1;
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
      if (Math.max(bytes, chunk.length) <= bytesMax) controller.enqueue(chunk);
      else controller.error(new Error(`the response has more than ${bytesMax.toLocaleString('en')} bytes`));
    },
  });
}

/** Where the last event that ends in it ends; -1 if none does. One whose end is cut in two counts on, which does no harm. */
function lastEventEnd(chunk: Uint8Array): number {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'), text.lastIndexOf('\r\r'));
}
