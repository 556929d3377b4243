import type { FetchLike } from '@modelcontextprotocol/client';

/** `fetch`, of whose answers no message may be longer than this. What was packed counts as it is when unpacked. */
export const boundedFetch =
  (bytesMax: number): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = response.body.pipeThrough(limit(bytesMax, isStream ? 'each event' : 'the whole'));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

function limit(bytesMax: number, what: 'each event' | 'the whole'): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = what === 'each event' ? lastEventEnd(chunk) : -1;
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
      if (Math.max(bytes, chunk.length) <= bytesMax) controller.enqueue(chunk);
      else controller.error(new Error(`the answer has more than ${bytesMax.toLocaleString('en')} bytes`));
    },
  });
}

/** Where the last event that ends in it ends; -1 if none does. One whose end is cut in two counts on, which does no harm. */
function lastEventEnd(chunk: Uint8Array): number {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'), text.lastIndexOf('\r\r'));
}
