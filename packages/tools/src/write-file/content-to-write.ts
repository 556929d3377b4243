import { ToolFailure } from '@countersign/engine';
import { contentHash } from '../content-hash.js';
import { type DecodedText, decodeText } from '../text/decode-text.js';
import { encodeText } from '../text/encode-text.js';
import { guessMimeType } from '../text/mime-type.js';
import { encodingName, formatRemarks } from '../text/text-format.js';

/** A new content in the clothes of the file that it replaces. */
export type ContentToWrite = {
  readonly text: string;
  readonly bytes: Buffer;
  readonly hash: string;
  /** What was kept of the old file's unusual ways, in words. */
  readonly kept: readonly string[];
};

/**
 * The file's encoding, byte order mark and line endings are kept: a model
 * writes plain `\n` and does not see the rest. A content that has `\r\n` of its
 * own means it. The final newline is the content's: a complete new text says
 * itself how it ends.
 */
export function contentToWrite(present: DecodedText | null, content: string, shown: string): ContentToWrite {
  const marked = content.startsWith('\ufeff');
  const encoding = present?.encoding ?? 'utf-8';
  const bom = marked || (present?.bom ?? false);
  const body = marked ? content.slice(1) : content;
  const lineEnding = present?.lineEnding === '\r\n' && !body.includes('\r\n') ? '\r\n' : '\n';
  const text = lineEnding === '\r\n' ? body.replaceAll('\n', '\r\n') : body;
  const encoded = encodeText(text, encoding, bom);
  if (!encoded.ok)
    throw new ToolFailure({
      code: 'unencodable_content',
      path: shown,
      encoding: encodingName(encoding),
      character: encoded.character,
    });
  const kept = present === null ? [] : formatRemarks({ encoding, bom: present.bom, lineEnding });
  return { text, bytes: encoded.bytes, hash: contentHash(encoded.bytes), kept };
}

/** The text of a file about to be replaced. What is no text is not replaced by one: nobody could review that. */
export function textToReplace(bytes: Uint8Array, shown: string): DecodedText {
  const decoded = decodeText(bytes);
  if (decoded !== null) return decoded;
  throw new ToolFailure({ code: 'binary_file', path: shown, mimeType: guessMimeType(bytes, shown) });
}
