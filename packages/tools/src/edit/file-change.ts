import {
  contentHash,
  type DecodedText,
  encodeText,
  encodingName,
  once,
  type UnifiedDiff,
  unifiedDiff,
} from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { decodedText } from '../define-tool/decoded-text.js';
import type { FileEdit, RewrittenText } from './file-edit.js';

export const PRESENT_BYTES_MAX = 20_000_000; // no front end can show a larger change

/** What a file is, what it will be, and the difference, which is computed on its first use. */
export type FileChange = {
  /** null if there is no file yet. */
  readonly before: { readonly hash: string; readonly text: DecodedText } | null;
  readonly after: RewrittenText & { readonly bytes: Buffer; readonly hash: string };
  readonly diff: () => UnifiedDiff;
};

/** The content that an edit starts from. */
export type Seen = { readonly bytes: Uint8Array; readonly hash: string };

export const seen = (bytes: Uint8Array): Seen => ({ bytes, hash: contentHash(bytes) });

export function changeOf(present: Seen | null, edit: FileEdit, shown: string): FileChange {
  const before = present && { hash: present.hash, text: decodedText(present.bytes, shown) };
  const rewritten = edit.rewrite(before?.text ?? null, shown);
  const bytes = bytesOf(rewritten, shown);
  return {
    before,
    after: { ...rewritten, bytes, hash: contentHash(bytes) },
    diff: once(() => unifiedDiff(shown, before?.text.text ?? null, rewritten.text)),
  };
}

function bytesOf({ text, encoding, bom }: RewrittenText, shown: string): Buffer {
  const encoded = encodeText(text, encoding, bom);
  if (encoded.ok) return encoded.bytes;
  throw new ToolFailure({
    code: 'unencodable_content',
    path: shown,
    encoding: encodingName(encoding),
    character: encoded.character,
  });
}
