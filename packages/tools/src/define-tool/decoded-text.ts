import { type DecodedText, decodeText, guessMimeType } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';

/** The text in these bytes. Bytes of another type are not shown as text: no user could review that. */
export function decodedText(bytes: Uint8Array, shown: string): DecodedText {
  const decoded = decodeText(bytes);
  if (decoded !== null) return decoded;
  throw new ToolFailure({ code: 'binary_file', path: shown, mimeType: guessMimeType(bytes, shown) });
}
