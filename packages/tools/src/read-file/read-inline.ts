import { type RunContext } from '@countersign/engine';
import { AUDIO_FOR_MODELS, bytesInWords, provenMimeType, SHOWN_TO_MODELS } from '@countersign/host';
import { ToolFailure, type ToolResult } from '@countersign/protocol';
import type { FileBytes } from './file-bytes.js';

const INLINE_BYTES_MAX = 20_000_000; // no provider takes a larger request

/** The type of an image or PDF, recognised by its bytes and never by its name; null for everything else. */
export function inlineTypeOf({ beginning }: FileBytes): string | null {
  const mimeType = provenMimeType(beginning);
  return mimeType !== null && SHOWN_TO_MODELS.includes(mimeType) ? mimeType : null;
}

/** The type of a recording: it begins with words (`ID3`, `RIFF`), so only what turned out to be no text is one. */
export function audioTypeOf(error: unknown): string | null {
  const failure = error instanceof ToolFailure ? error.failure : null;
  return failure?.code === 'binary_file' && AUDIO_FOR_MODELS.includes(failure.mimeType)
    ? failure.mimeType
    : null;
}

export async function readInline(
  bytes: FileBytes,
  mimeType: string,
  { shown, context }: { readonly shown: string; readonly context: Pick<RunContext, 'signal'> },
): Promise<ToolResult> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes.pieces(context)) {
    size += piece.length;
    const bytesFound = Math.max(size, bytes.size);
    if (bytesFound > INLINE_BYTES_MAX)
      throw new ToolFailure({
        code: 'media_too_large',
        path: shown,
        mimeType,
        bytes: bytesFound,
        bytesMax: INLINE_BYTES_MAX,
      });
    pieces.push(Uint8Array.from(piece));
  }
  return {
    llmContent: { inlineData: { mimeType, data: Buffer.concat(pieces).toString('base64') } },
    returnDisplay: `Read ${shown} (${mimeType}, ${bytesInWords(size)})`,
  };
}
