import type { Json, JsonObject } from '@countersign/protocol';
import { listOf, objectOf, textOf } from '../http/read-json.js';
import { inWords, type MessageStyle, NO_OUTPUT } from '../translation/in-words.js';
import type { OwnPart, Piece } from '../translation/read-part.js';
import type { Call, ModelTurn, Turn } from '../translation/turns.js';

export function messagesOf(turns: readonly Turn[], style: MessageStyle): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  /** Tool messages take text only: what a result shows comes with what the user says next. */
  let shown: readonly Piece[] = [];
  for (const turn of turns) {
    if (turn.role === 'user') {
      messages.push(userMessage([...shown, ...turn.parts], style));
      shown = [];
      continue;
    }
    if (shown.length > 0) messages.push(userMessage(shown, style));
    const calls = turn.parts.filter((part) => part.kind === 'call');
    messages.push(assistantMessage(turn, calls, style), ...calls.map(toolMessage));
    shown = calls.flatMap(shownBy);
  }
  if (shown.length > 0) messages.push(userMessage(shown, style));
  return messages;
}

function userMessage(pieces: readonly Piece[], { media }: MessageStyle): JsonObject {
  const blocks = pieces.map((piece) => (media === 'shown' ? blockOf(piece) : null) ?? inWords(piece));
  // Text alone as a string: the one form that every server knows.
  if (blocks.every((block) => typeof block === 'string'))
    return { role: 'user', content: blocks.join('\n\n') };
  return {
    role: 'user',
    content: blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
  };
}

function assistantMessage({ parts }: ModelTurn, calls: readonly Call[], { names }: MessageStyle): JsonObject {
  const text = parts.map((part) => (part.kind === 'words' ? part.text : '')).join('');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...thoughtFields(parts.filter((part) => part.kind === 'own')),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args, wire }) => ({
        id,
        type: 'function',
        function: { name: names.toWire(name), arguments: JSON.stringify(args) },
        ...objectOf(wire.extra),
      })),
    }),
  };
}

/** Thoughts go back under the name they came by, since the server knows them by no other. */
function thoughtFields(thoughts: readonly OwnPart[]): JsonObject {
  const fields: { [field: string]: Json } = {};
  for (const { text, wire } of thoughts) {
    const field = textOf(wire.field);
    if (field !== undefined) fields[field] = `${textOf(fields[field]) ?? ''}${text}`;
    const details = [...listOf(fields.reasoning_details), ...listOf(wire.details)];
    if (details.length > 0) fields.reasoning_details = details;
  }
  return fields;
}

/** The wire has no mark for a call that failed. */
function toolMessage({ id, result: { failed, text } }: Call): JsonObject {
  const content = text.trim() === '' ? NO_OUTPUT : text;
  return {
    role: 'tool',
    tool_call_id: id,
    content: failed && !/^error/i.test(content) ? `Error: ${content}` : content,
  };
}

function shownBy({ name, id, result: { media } }: Call): readonly Piece[] {
  return media.length === 0 ? [] : [{ kind: 'words', text: `From the result of ${name} (${id}):` }, ...media];
}

const AUDIO_FORMATS: { readonly [mimeType: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** Null: the wire has no form for it. */
function blockOf(piece: Piece): JsonObject | null {
  if (piece.kind === 'words') return null;
  const isImage = piece.mimeType.startsWith('image/');
  if (piece.kind === 'link') {
    return isImage && /^https?:/.test(piece.uri)
      ? { type: 'image_url', image_url: { url: piece.uri } }
      : null;
  }
  const { mimeType, data } = piece;
  const url = `data:${mimeType};base64,${data}`;
  const format = AUDIO_FORMATS[mimeType];
  if (isImage) return { type: 'image_url', image_url: { url } };
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  if (mimeType === 'application/pdf') return { type: 'file', file: { filename: 'file.pdf', file_data: url } };
  return null;
}
