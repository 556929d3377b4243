import {
  AUDIO_FOR_MODELS,
  bytesInWords,
  isJsonObject,
  provenMimeType,
  SHOWN_TO_MODELS,
} from '@countersign/host';
import { canonicalJson, type Json, type JsonObject, type ModelContent } from '@countersign/protocol';
import { stripInvisible, UNTRUSTED_NOTE, untrusted } from '@countersign/tools';
import { textIn } from '../text/text-in.js';

/** What a server said, for a model and for a person. */
export type Contents = { readonly llmContent: ModelContent; readonly display: string };

/** One piece: text, or something that only a model which sees or hears can make use of, with what it is in words. */
type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly part: JsonObject; readonly label: string };

/** Content of any kind in the order it came. All text is marked as foreign. */
export function contentsOf(blocks: readonly Json[], structured?: Json): Contents {
  const pieces = blocks.map(pieceOf);
  if (structured !== undefined && !blocks.some((block) => says(block, structured)))
    pieces.push(text(JSON.stringify(structured, null, 2)));
  const display = pieces.map((piece) => (piece.type === 'text' ? piece.text : `[${piece.label}]`)).join('\n');
  const parts: (string | JsonObject)[] = [];
  let words: string[] = [];
  const endWords = () => {
    if (words.length > 0) parts.push(untrusted(stripInvisible(words.join('\n\n'))));
    words = [];
  };
  for (const piece of pieces) {
    if (piece.type === 'text') words.push(piece.text);
    else {
      endWords();
      parts.push(piece.part);
    }
  }
  endWords();
  const [only] = parts;
  if (parts.length === 0) return { llmContent: 'It succeeded and returned nothing.', display: '' };
  if (parts.length === 1 && typeof only === 'string')
    return { llmContent: `${UNTRUSTED_NOTE}\n\n${only}`, display };
  return { llmContent: [UNTRUSTED_NOTE, ...parts], display };
}

const text = (words: string): Piece => ({ type: 'text', text: words });

function pieceOf(block: Json): Piece {
  if (!isJsonObject(block)) return text('[An entry that is not content was omitted.]');
  const { type } = block;
  switch (type) {
    case 'text':
      return text(textIn(block, 'text'));
    case 'image':
    case 'audio':
      return media(textIn(block, 'data'), textIn(block, 'mimeType'), type);
    case 'resource':
      return isJsonObject(block['resource'])
        ? resourcePiece(block['resource'])
        : text('[An empty resource.]');
    case 'resource_link':
      return text(linkInWords(block));
    default:
      return text(`[Content of the unknown type ${JSON.stringify(type ?? null)} was omitted.]`);
  }
}

/** What a resource holds. */
function resourcePiece(resource: JsonObject): Piece {
  const uri = textIn(resource, 'uri');
  const mimeType = textIn(resource, 'mimeType');
  if (typeof resource['text'] === 'string')
    return text(`Resource ${uri}${mimeType && ` (${mimeType})`}:\n${resource['text']}`);
  return media(textIn(resource, 'blob'), mimeType, `resource ${uri}`);
}

function linkInWords(link: JsonObject): string {
  const [name, uri, mimeType, description] = ['name', 'uri', 'mimeType', 'description'].map((key) =>
    textIn(link, key),
  );
  return `Link to the resource ${name} (${[uri, mimeType].filter(Boolean).join(', ')}), which read_mcp_resource reads.${description && ` ${description}`}`;
}

/** Servers name sounds in older spellings, too. */
const HEARD = [...AUDIO_FOR_MODELS, 'audio/x-wav', 'audio/mp3'];
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BEGINNING_CHARS = 8_192; // in base64; the type shows in the first bytes

function media(data: string, said: string, what: string): Piece {
  const bytes = Buffer.byteLength(data, 'base64');
  const isData = data !== '' && data.length % 4 === 0 && BASE64.test(data);
  // The type follows from the bytes; for sounds, which have many container formats, from the server.
  const proven = provenMimeType(Buffer.from(data.slice(0, BEGINNING_CHARS), 'base64'));
  const mimeType =
    proven !== null && SHOWN_TO_MODELS.includes(proven) ? proven : HEARD.includes(said) ? said : null;
  const label = `${what}, ${mimeType ?? (said || 'unknown type')}, ${bytesInWords(bytes)}`;
  if (!isData || mimeType === null) return text(`[${label}: omitted, because it cannot be shown.]`);
  return { type: 'media', part: { inlineData: { mimeType, data } }, label };
}

/** Servers repeat structured content as text for clients that know nothing of it. */
function says(block: Json, structured: Json): boolean {
  if (!isJsonObject(block) || block['type'] !== 'text') return false;
  try {
    return canonicalJson(JSON.parse(textIn(block, 'text'))) === canonicalJson(structured);
  } catch {
    return false;
  }
}
