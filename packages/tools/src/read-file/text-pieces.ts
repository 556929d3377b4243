import type { OpenedFile } from '../paths/open-file.js';
import { BYTE_ORDER_MARKS, type TextEncoding } from '../text/text-format.js';
import { decodeWindows1252 } from '../text/windows-1252.js';

const PIECE_BYTES = 262_144; // large enough that the number of reads does not matter

/** The bytes are not what the encoding promised. */
export class MalformedText extends Error {}

/** The text of a file of any size, piece by piece. */
export async function* textPieces(
  file: OpenedFile,
  encoding: TextEncoding,
  bom: boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decode = decoderOf(encoding);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let position = bom ? BYTE_ORDER_MARKS[encoding].length : 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.handle.read(buffer, 0, PIECE_BYTES, position);
    position += bytesRead;
    yield decode(buffer.subarray(0, bytesRead), bytesRead === 0 ? 'last' : 'more follow');
    if (bytesRead === 0) return;
  }
}

type Decode = (bytes: Uint8Array, place: 'last' | 'more follow') => string;

function decoderOf(encoding: TextEncoding): Decode {
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes, place) => {
    try {
      return decoder.decode(bytes, { stream: place === 'more follow' });
    } catch {
      throw new MalformedText();
    }
  };
}
