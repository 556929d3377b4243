/** What a server declares about a body. */
export type MediaType = { readonly mimeType: string | null; readonly charset: string | null };

export function mediaTypeOf(header: string | undefined): MediaType {
  const [type = '', ...parameters] = (header ?? '').split(';');
  const mimeType = type.trim().toLowerCase();
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([\w.:-]+)/i.exec(each)?.[1]).find(Boolean);
  // Any other text of the server would reach the model as if it were ours.
  return { mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : null, charset: charset ?? null };
}

/** `unsaid`: the server declares no type, so the bytes decide. */
export type Reading = 'html' | 'text' | 'unsaid' | 'none';

export function readingOf(mimeType: string | null): Reading {
  if (mimeType === null || UNSAID.includes(mimeType)) return 'unsaid';
  if (mimeType === 'text/html' || mimeType === 'application/xhtml+xml') return 'html';
  const isText = mimeType.startsWith('text/') || /[+/](json|xml)$/.test(mimeType) || TEXTS.includes(mimeType);
  return isText ? 'text' : 'none';
}

/** Types that servers send for files of unknown type. */
const UNSAID: readonly string[] = ['application/octet-stream', 'binary/octet-stream', 'application/unknown'];

const TEXTS: readonly string[] = [
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/typescript',
  'application/json5',
  'application/ndjson',
  'application/x-ndjson',
  'application/jsonl',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/graphql',
  'application/sql',
  'application/x-sh',
  'application/x-httpd-php',
  'application/x-www-form-urlencoded',
];
