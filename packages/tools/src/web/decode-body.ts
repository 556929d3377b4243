import { decodeWindows1252, orNull, storageOf } from '@countersign/host';
import type { Body } from './read-body.js';

const DECLARED_WITHIN_BYTES = 1_024; // where the HTML standard looks

/**
 * The text of a body; null if it is none. A byte order mark knows best, then the server, then the page itself. What
 * is declared as UTF-8 and is not, and what has no declaration, is most likely old single-byte text.
 */
export function decodeBody({ bytes, whole }: Body, charset: string | null): string | null {
  // A body that was cut may end within a character.
  const decodeAs = (label: string) => decoded(label, bytes, { stream: !whole });
  const storage = storageOf(bytes);
  if (storage === null) return isUtf16(charset) ? decodeAs(charset) : null;
  if (storage.bom || storage.encoding !== 'utf-8') return decodeAs(storage.encoding);
  for (const label of [charset, charsetWithin(bytes), 'utf-8', 'windows-1252']) {
    const text = label === null ? null : decodeAs(label);
    if (text !== null) return text;
  }
  return null;
}

/** null where it cannot be: the encoding is unknown, or these bytes are not UTF-8. */
const decoded = (label: string, bytes: Uint8Array, options: { readonly stream: boolean }): string | null =>
  orNull(() => {
    const { encoding } = new TextDecoder(label);
    // Node takes it for Latin-1, which has no quotes and dashes.
    if (encoding === 'windows-1252') return decodeWindows1252(bytes);
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes, options);
  });

/** What a page or an XML file declares. If that can be read before decoding, it is not in UTF-16. */
function charsetWithin(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, DECLARED_WITHIN_BYTES)).toString('latin1');
  const [, declared] =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(beginning) ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning) ??
    [];
  return declared === undefined || isUtf16(declared) ? null : declared;
}

const isUtf16 = (label: string | null): label is string => label !== null && /^utf-?16/i.test(label);
