/** What stands where at the beginning of a file of a type. */
type Signature = { readonly mimeType: string; readonly parts: readonly Part[] };
type Part = readonly [at: number, bytes: string];

const signature = (mimeType: string, ...parts: Part[]): Signature => ({ mimeType, parts });

/** The more special come first. */
const SIGNATURES: readonly Signature[] = [
  signature('image/png', [0, '\x89PNG\r\n\x1a\n']),
  signature('image/jpeg', [0, '\xff\xd8\xff']),
  signature('image/gif', [0, 'GIF87a']),
  signature('image/gif', [0, 'GIF89a']),
  signature('image/webp', [0, 'RIFF'], [8, 'WEBP']),
  // Two letters alone would take in many a text: the zeros are the reserved field and the high bytes of the header's size.
  signature('image/bmp', [0, 'BM'], [6, '\0\0\0\0'], [15, '\0\0\0']),
  signature('image/avif', [0, '\0\0\0'], [4, 'ftypavi']),
  signature('image/heic', [0, '\0\0\0'], [4, 'ftyphei']),
  signature('image/heic', [0, '\0\0\0'], [4, 'ftyphev']),
  signature('image/heif', [0, '\0\0\0'], [4, 'ftypmif1']),
  signature('image/heif', [0, '\0\0\0'], [4, 'ftypmsf1']),
  signature('image/tiff', [0, 'II*\0']),
  signature('image/tiff', [0, 'MM\0*']),
  signature('image/x-icon', [0, '\0\0\x01\0']),
  signature('image/vnd.adobe.photoshop', [0, '8BPS\0']),
  signature('image/jxl', [0, '\0\0\0\x0cJXL ']),
  signature('image/jp2', [0, '\0\0\0\x0cjP  ']),

  signature('application/pdf', [0, '%PDF-']),
  signature('application/x-ole-storage', [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']),

  signature('application/zip', [0, 'PK\x03\x04']),
  signature('application/zip', [0, 'PK\x05\x06']),
  signature('application/gzip', [0, '\x1f\x8b\x08']),
  signature('application/x-bzip2', [0, 'BZh'], [4, '1AY&SY']),
  signature('application/x-xz', [0, '\xfd7zXZ\0']),
  signature('application/zstd', [0, '\x28\xb5\x2f\xfd']),
  signature('application/x-lz4', [0, '\x04\x22\x4d\x18']),
  signature('application/x-compress', [0, '\x1f\x9d']),
  signature('application/x-7z-compressed', [0, '7z\xbc\xaf\x27\x1c']),
  signature('application/vnd.rar', [0, 'Rar!\x1a\x07']),
  signature('application/vnd.ms-cab-compressed', [0, 'MSCF\0\0\0\0']),
  signature('application/x-rpm', [0, '\xed\xab\xee\xdb']),
  signature('application/x-tar', [257, 'ustar']),
  signature('application/x-archive', [0, '!<arch>\n']),

  signature('application/x-elf', [0, '\x7fELF']),
  signature('application/x-mach-binary', [0, '\xfe\xed\xfa\xce']),
  signature('application/x-mach-binary', [0, '\xfe\xed\xfa\xcf']),
  signature('application/x-mach-binary', [0, '\xce\xfa\xed\xfe']),
  signature('application/x-mach-binary', [0, '\xcf\xfa\xed\xfe']),
  // Java took the same number: there a version follows, of 45 and above, here a handful of architectures.
  signature('application/x-mach-binary', [0, '\xca\xfe\xba\xbe\0\0\0\x01']),
  signature('application/x-mach-binary', [0, '\xca\xfe\xba\xbe\0\0\0\x02']),
  signature('application/x-mach-binary', [0, '\xca\xfe\xba\xbe\0\0\0\x03']),
  signature('application/java-vm', [0, '\xca\xfe\xba\xbe']),
  signature('application/vnd.android.dex', [0, 'dex\n'], [7, '\0']),
  signature('application/x-llvm-bitcode', [0, 'BC\xc0\xde']),
  signature('application/vnd.microsoft.portable-executable', [0, 'MZ']),
  signature('application/wasm', [0, '\0asm']),

  signature('application/vnd.sqlite3', [0, 'SQLite format 3\0']),
  signature('application/x-git-pack', [0, 'PACK\0\0\0']),
  signature('application/x-git-index', [0, 'DIRC\0\0\0']),

  signature('font/woff', [0, 'wOFF']),
  signature('font/woff2', [0, 'wOF2']),
  signature('font/otf', [0, 'OTTO']),
  signature('font/ttf', [0, '\0\x01\0\0\0']),
  signature('font/collection', [0, 'ttcf']),

  signature('audio/wav', [0, 'RIFF'], [8, 'WAVE']),
  signature('audio/mpeg', [0, 'ID3']),
  signature('audio/mpeg', [0, '\xff\xfb']),
  signature('audio/mpeg', [0, '\xff\xf3']),
  signature('audio/aac', [0, '\xff\xf1']),
  signature('audio/aac', [0, '\xff\xf9']),
  signature('audio/ogg', [0, 'OggS']),
  signature('audio/flac', [0, 'fLaC']),
  signature('audio/midi', [0, 'MThd\0\0\0\x06']),
  signature('audio/aiff', [0, 'FORM'], [8, 'AIF']),
  signature('audio/amr', [0, '#!AMR']),
  signature('audio/mp4', [4, 'ftypM4A']),

  signature('video/quicktime', [4, 'ftypqt']),
  signature('video/mp4', [4, 'ftyp']),
  signature('video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']),
  signature('video/webm', [0, '\x1a\x45\xdf\xa3'], [24, 'webm']),
  signature('video/webm', [0, '\x1a\x45\xdf\xa3'], [31, 'webm']),
  signature('video/x-matroska', [0, '\x1a\x45\xdf\xa3']),
  signature('video/x-flv', [0, 'FLV\x01']),
  signature('video/mpeg', [0, '\0\0\x01\xba']),
  signature('video/mpeg', [0, '\0\0\x01\xb3']),
];
const SIGNATURES_END = 512; // beyond the last of them, which is that of tar

const BY_EXTENSION: { readonly [extension: string]: string } = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  avif: 'image/avif',
  heic: 'image/heic',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  zip: 'application/zip',
  gz: 'application/gzip',
  xz: 'application/x-xz',
  tar: 'application/x-tar',
  wasm: 'application/wasm',
  pyc: 'application/x-python-code',
  der: 'application/x-x509-ca-cert',
};

/** Formats that are zip or OLE files inside: their own type is more specific. */
const WRAPPED: { readonly [extension: string]: string } = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  jar: 'application/java-archive',
  apk: 'application/vnd.android.package-archive',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const WRAPPERS = ['application/zip', 'application/x-ole-storage'];

/** What bytes that are no text most likely are. */
export function guessMimeType(bytes: Uint8Array, fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const signed = mimeTypeOf(SIGNATURES, bytes);
  if (signed === null) return ownMember(BY_EXTENSION, extension) ?? 'application/octet-stream';
  return (WRAPPERS.includes(signed) ? ownMember(WRAPPED, extension) : null) ?? signed;
}

/** The type that the bytes themselves prove, whatever they look like otherwise; null if none. */
export const provenMimeType = (bytes: Uint8Array): string | null => mimeTypeOf(PROVING, bytes);

/**
 * Signatures that no text begins with: a mere "MZ" or "ID3" may well be the first word of one. The exceptions begin
 * with letters only, and no text that is not meant to pass for such a file begins with those.
 */
const PROVING = SIGNATURES.filter(({ mimeType, parts }) => {
  if (mimeType === 'application/pdf' || mimeType === 'image/gif') return true;
  const bytes = parts.map(([, part]) => part).join('');
  return mimeType === 'image/webp' || (bytes.length > 2 && /[^\t\n\r\x20-\x7e]/.test(bytes));
});

function mimeTypeOf(signatures: readonly Signature[], bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, SIGNATURES_END);
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
  const fits = ({ parts }: Signature) => parts.every(([at, part]) => beginning.startsWith(part, at));
  return signatures.find(fits)?.mimeType ?? null;
}

const ownMember = (table: { readonly [key: string]: string }, key: string): string | null =>
  Object.hasOwn(table, key) ? (table[key] ?? null) : null;

/** What models can look at. Anything else that is no text would only make them refuse the whole conversation. */
export const SHOWN_TO_MODELS: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/heic',
  'image/heif',
  'image/avif',
  'application/pdf',
];
/** Audio for models that support it; others get a description. */
export const AUDIO_FOR_MODELS: readonly string[] = [
  'audio/wav',
  'audio/mpeg',
  'audio/aac',
  'audio/ogg',
  'audio/flac',
  'audio/aiff',
];
