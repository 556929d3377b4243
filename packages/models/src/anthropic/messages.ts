import type { JsonObject } from '@countersign/protocol';
import { objectOf } from '../http/read-json.js';
import { inWords, type MessageStyle, NO_OUTPUT } from '../translation/in-words.js';
import type { OwnPart, Piece } from '../translation/read-part.js';
import type { Call, ModelTurn, Turn } from '../translation/turns.js';
import type { WireNames } from '../translation/wire-names.js';

/** Roles alternate on this wire: results come first in the user's message that follows their calls. */
export function messagesOf(turns: readonly Turn[], { names, media }: MessageStyle): readonly JsonObject[] {
  const blockOf = (piece: Piece) =>
    (media === 'shown' ? shownBlock(piece) : null) ?? wordsBlock(inWords(piece));
  const messages: JsonObject[] = [];
  let results: readonly JsonObject[] = [];
  const addUserMessage = (pieces: readonly Piece[]) => {
    const content = [...results, ...pieces.map(blockOf)];
    if (content.length > 0) messages.push({ role: 'user', content });
    results = [];
  };
  for (const turn of turns) {
    if (turn.role === 'user') {
      addUserMessage(turn.parts);
      continue;
    }
    addUserMessage([]);
    messages.push({ role: 'assistant', content: assistantBlocks(turn, names) });
    results = turn.parts.filter((part) => part.kind === 'call').map((call) => resultBlock(call, blockOf));
  }
  addUserMessage([]);
  return messages;
}

function assistantBlocks({ parts }: ModelTurn, names: WireNames): readonly JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case 'words':
        return [wordsBlock(part.text)];
      case 'own':
        return ownBlock(part);
      case 'call':
        return [{ type: 'tool_use', id: part.id, name: names.toWire(part.name), input: part.args }];
    }
  });
}

/** What came without a signature was broken off, and is refused if it comes back. */
function ownBlock({ text, signature, wire }: OwnPart): JsonObject[] {
  const block = objectOf(wire.block);
  if (block) return [block];
  return signature ? [{ type: 'thinking', thinking: text, signature }] : [];
}

function resultBlock(
  { id, result: { failed, text, media } }: Call,
  blockOf: (piece: Piece) => JsonObject,
): JsonObject {
  const shown = media.map(blockOf);
  const isText = shown.every(({ type }) => type === 'text');
  const said = text.trim() === '' && (failed || shown.length === 0) ? NO_OUTPUT : text;
  // The mark of a failure is accepted beside text only.
  const words = failed && !isText ? `Error: ${said}` : said;
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: [...(words.trim() === '' ? [] : [wordsBlock(words)]), ...shown],
    ...(failed && isText && { is_error: true }),
  };
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const wordsBlock = (text: string): JsonObject => ({ type: 'text', text });

/** Null: the wire has no form for it. */
function shownBlock(piece: Piece): JsonObject | null {
  if (piece.kind === 'words') return null;
  const { mimeType } = piece;
  const type = mimeType === 'application/pdf' ? 'document' : IMAGE_TYPES.includes(mimeType) ? 'image' : null;
  if (type === null) return null;
  if (piece.kind === 'media') {
    return { type, source: { type: 'base64', media_type: mimeType, data: piece.data } };
  }
  return piece.uri.startsWith('https:') ? { type, source: { type: 'url', url: piece.uri } } : null;
}
