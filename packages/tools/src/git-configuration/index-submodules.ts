import { isUtf8 } from 'node:buffer';

const SIGNATURE = 'DIRC';
const HEADER_BYTES = 12;
const MODE_AT = 24;
const HASH_AT = 40;
const SUBMODULE_MODE = 0o160000;
const EXTENDED = 0x4000;

/** The paths at which an index file of git has a submodule; null if the file is not understood. */
export function submodulesIn(index: Buffer, hashBytes: 20 | 32): readonly string[] | null {
  if (index.length < HEADER_BYTES || index.toString('latin1', 0, 4) !== SIGNATURE) return null;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const found: string[] = [];
  let at = HEADER_BYTES;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + HASH_AT + hashBytes;
    if (flagsAt + 4 > index.length) return null;
    const hasMore = version >= 3 && (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    let nameAt = flagsAt + (hasMore ? 4 : 2);
    let kept: Buffer = Buffer.alloc(0);
    if (version === 4) {
      const dropped = variableNumber(index, nameAt);
      if (dropped === null || dropped.value > previous.length) return null;
      kept = previous.subarray(0, previous.length - dropped.value);
      nameAt = dropped.next;
    }
    const end = index.indexOf(0, nameAt);
    if (end === -1) return null;
    const isSubmodule = index.readUInt32BE(at + MODE_AT) === SUBMODULE_MODE;
    if (version === 4) previous = Buffer.concat([kept, index.subarray(nameAt, end)]);
    const name = version === 4 ? previous : index.subarray(nameAt, end);
    // A name that is no text could not be looked at under it.
    if (isSubmodule && !isUtf8(name)) return null;
    if (isSubmodule) found.push(name.toString('utf8'));
    // Entries are filled up to a multiple of eight bytes with at least one NUL, but for version 4.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return hasSharedPart(index, at, hashBytes) ? null : found;
}

/** As git writes offsets: seven bits a byte, each longer form beginning where the shorter ends. */
function variableNumber(
  bytes: Buffer,
  from: number,
): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 5); at += 1) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 0x7f) + (at === from ? 0 : 128);
    if ((byte & 0x80) === 0) return { value, next: at + 1 };
  }
  return null;
}

/** A split index keeps the rest of its entries in another file. */
function hasSharedPart(index: Buffer, from: number, hashBytes: number): boolean {
  for (let at = from; at + 8 <= index.length - hashBytes; ) {
    if (index.toString('latin1', at, at + 4) === 'link') return true;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return false;
}
