import type { Json, JsonObject, MessagePart } from '@countersign/protocol';

/**
 * Whether a user may send this part to a model: text, inline data or a link to a file, and nothing beside it. The result
 * of a call comes from the call alone, and a model refuses a whole history because of one part that it does not know.
 */
export function isUserPart(part: MessagePart): boolean {
  const [name, ...others] = Object.keys(part);
  if (name === undefined || others.length > 0) return false;
  if (name === 'text') return typeof part['text'] === 'string' && part['text'] !== '';
  const content = part[name];
  if (!isObject(content) || !isMimeType(content['mimeType'])) return false;
  const { displayName = '', ...shownFields } = content;
  const kept = name === 'inlineData' ? inlineData(content) : name === 'fileData' ? fileData(content) : null;
  if (kept === null || typeof displayName !== 'string') return false;
  return Object.keys(shownFields).length === Object.keys(kept).length;
}

/**
 * The parts of a user's message as a model is shown them. Journals of earlier versions hold whatever a client sent: what
 * a user may not send is left out here, and a note is in its place.
 */
export const shownUserParts = (parts: readonly MessagePart[]): readonly MessagePart[] => parts.flatMap(shown);

function shown(part: MessagePart): readonly MessagePart[] {
  const text = part['text'];
  const inline = inlineData(part['inlineData']);
  const file = fileData(part['fileData']);
  const kept = [
    ...(typeof text === 'string' ? [{ text }] : []),
    ...(inline ? [{ inlineData: inline }] : []),
    ...(file ? [{ fileData: file }] : []),
  ];
  return kept.length > 0 ? kept : [OMITTED];
}

const OMITTED: MessagePart = { text: '[A part of this message is omitted: it is neither text nor a file.]' };

/** `displayName` is for people; the wire of a model may refuse it. */
function inlineData(content: Json | undefined): JsonObject | null {
  if (!isObject(content)) return null;
  const { mimeType, data } = content;
  const isData = isMimeType(mimeType) && typeof data === 'string' && BASE64.test(data);
  return isData ? { mimeType, data } : null;
}

function fileData(content: Json | undefined): JsonObject | null {
  if (!isObject(content)) return null;
  const { mimeType, fileUri } = content;
  if (typeof fileUri !== 'string' || fileUri === '') return null;
  return isMimeType(mimeType) ? { mimeType, fileUri } : { fileUri };
}

const isMimeType = (value: Json | undefined): value is string =>
  typeof value === 'string' && MIME_TYPE.test(value);

const MIME_TYPE = /^[\w.+-]+\/[\w.+*-]+(;.*)?$/;
/** Both alphabets, with or without padding, and as mail programs wrap it. */
const BASE64 = /^[\w+/\-\s]+={0,2}\s*$/;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
