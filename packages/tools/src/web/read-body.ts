import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { fetchFailed } from './connection-failure.js';
import type { RequestTimeout } from './request-timeout.js';

/** `whole` is false where the body is longer than the limit. */
export type Body = { readonly bytes: Uint8Array; readonly whole: boolean };

/** The body of an answer, unpacked, as far as the limit goes. The connection is over afterwards. */
export async function readBody(
  response: IncomingMessage,
  url: URL,
  bytesMax: number,
  timeout: RequestTimeout,
): Promise<Body> {
  const stop = () => response.destroy();
  timeout.signal.addEventListener('abort', stop);
  try {
    const packed = await firstBytes(response, bytesMax, () => timeout.progressed());
    const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    return await unpacked(packed, encoding, url, bytesMax);
  } finally {
    timeout.received();
    timeout.signal.removeEventListener('abort', stop);
    response.destroy();
  }
}

async function firstBytes(
  stream: AsyncIterable<unknown>,
  bytesMax: number,
  progressed = () => {},
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a stream of bytes gave something else');
    progressed();
    size += chunk.length;
    chunks.push(chunk);
    if (size > bytesMax) return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), whole: false };
  }
  return { bytes: Buffer.concat(chunks), whole: true };
}

/** A few packed bytes can hold gigabytes: no more is unpacked than is kept. */
async function unpacked(packed: Body, encoding: string, url: URL, bytesMax: number): Promise<Body> {
  if (encoding === 'identity' || encoding === '' || packed.bytes.length === 0) return packed;
  const unpack = await unpackerFor(encoding, packed.bytes);
  if (unpack === null) throw fetchFailed(url, 'it has an encoding that was not requested');
  unpack.end(packed.bytes);
  try {
    const { bytes, whole } = await firstBytes(unpack, bytesMax);
    return { bytes, whole: whole && packed.whole };
  } catch {
    throw fetchFailed(url, `its body is not valid ${encoding}`);
  }
}

async function unpackerFor(encoding: string, bytes: Uint8Array): Promise<Transform | null> {
  const { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } = await import(
    'node:zlib'
  );
  // What was cut off by our own limit, or by a careless server, is still good up to there.
  const tolerant = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(tolerant);
    case 'deflate':
      // Some servers leave the wrapping out that the standard asks for; its first byte gives it away.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate(tolerant) : createInflateRaw(tolerant);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}
