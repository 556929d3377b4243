const MAGIC: readonly { readonly bytes: string; readonly at: number; readonly mimeType: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', at: 0, mimeType: 'image/png' },
  { bytes: '\xff\xd8\xff', at: 0, mimeType: 'image/jpeg' },
  { bytes: 'GIF8', at: 0, mimeType: 'image/gif' },
  { bytes: 'WEBP', at: 8, mimeType: 'image/webp' },
  { bytes: 'WAVE', at: 8, mimeType: 'audio/wav' },
  { bytes: '%PDF-', at: 0, mimeType: 'application/pdf' },
  { bytes: 'ID3', at: 0, mimeType: 'audio/mpeg' },
  { bytes: 'OggS', at: 0, mimeType: 'audio/ogg' },
  { bytes: 'fLaC', at: 0, mimeType: 'audio/flac' },
  { bytes: 'ftyp', at: 4, mimeType: 'video/mp4' },
  { bytes: 'PK\x03\x04', at: 0, mimeType: 'application/zip' },
  { bytes: '\x1f\x8b', at: 0, mimeType: 'application/gzip' },
  { bytes: '\x7fELF', at: 0, mimeType: 'application/x-elf' },
  { bytes: '\0asm', at: 0, mimeType: 'application/wasm' },
  { bytes: 'SQLite format 3\0', at: 0, mimeType: 'application/vnd.sqlite3' },
];

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
};

/** What bytes that are no text most likely are. */
export function guessMimeType(bytes: Uint8Array, fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const byExtension = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  return magicMimeType(bytes) ?? byExtension ?? 'application/octet-stream';
}

/** PDF is the one format here whose beginning can pass for text. */
export const isPdf = (bytes: Uint8Array): boolean => magicMimeType(bytes) === 'application/pdf';

function magicMimeType(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 32));
  return MAGIC.find((magic) => head.startsWith(magic.bytes, magic.at))?.mimeType ?? null;
}
