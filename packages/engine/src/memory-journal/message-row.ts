import type { Event, MessagePart } from '@countersign/protocol';
import { MESSAGE_WORDS_MAX, type MessageRow } from '../journal/index.js';
import { wellFormed } from '../values/well-formed.js';

/** What a fact adds to what was said; null for one that adds nothing. */
export function messageRow(sessionId: string, event: Event): MessageRow | null {
  if (event.type === 'history.compressed') {
    // A history that was only cleared cost no request.
    if (event.summary === '') return null;
    const { at, usage } = event;
    return { sessionId, at, role: 'summary', words: null, model: null, usage, ...copyMark(event) };
  }
  if (event.type !== 'message.added') return null;
  const { message } = event;
  const { at, role } = message;
  return message.role === 'user'
    ? { sessionId, at, role, words: firstWords(message.parts), model: null, usage: null, ...copyMark(event) }
    : { sessionId, at, role, words: null, model: message.model, usage: message.usage, ...copyMark(event) };
}

const copyMark = ({ forkedFrom }: { readonly forkedFrom?: string }): Pick<MessageRow, 'isCopied'> =>
  forkedFrom === undefined ? {} : { isCopied: true };

function firstWords(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  return wellFormed(Array.from(texts.join(' ')).slice(0, MESSAGE_WORDS_MAX).join(''));
}
