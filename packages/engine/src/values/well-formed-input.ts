import type { Input } from '@countersign/kernel';
import type { AnswerPayload, MessagePart, ModelMessage } from '@countersign/protocol';
import { wellFormed } from './well-formed.js';

/**
 * An input whose texts have no half of a character, so that none is stored: what was said, what tools and hooks gave, and
 * what a person answered. Ids and arguments are kept exactly, since they are hashed, shown and granted as they came; a tool
 * that needs a text refuses half a character in it.
 */
export function wellFormedInput(input: Input): Input {
  switch (input.type) {
    case 'say':
      return { ...input, message: wellFormed(input.message) };
    case 'stream.ended':
      return input.message ? { ...input, message: wellFormedMessage(input.message) } : input;
    case 'compress':
      return { ...input, summary: wellFormed(input.summary) };
    case 'tool.ended':
      return { ...input, outcome: wellFormed(input.outcome) };
    case 'hooks.ended':
      return { ...input, outcome: wellFormed(input.outcome), notes: wellFormed(input.notes) };
    case 'plan.ended':
      return input.hooked
        ? { ...input, hooked: { ...input.hooked, notes: wellFormed(input.hooked.notes) } }
        : input;
    case 'answer':
      return { ...input, payload: wellFormedPayload(input.payload) };
    case 'open':
    case 'call':
    case 'stream.call':
    case 'stream.broke':
    case 'mask':
    case 'modify':
    case 'nested.call':
    case 'nested.withdrawn':
    case 'cancel':
    case 'set-mode':
    case 'revoke-grant':
    case 'grants-gone':
      return input;
  }
}

/** Changed arguments and changed content are consent to exactly these. */
export function wellFormedPayload(payload: AnswerPayload): AnswerPayload {
  const { feedback, answers } = payload;
  if (feedback === undefined && answers === undefined) return payload;
  return {
    ...payload,
    ...(feedback !== undefined && { feedback: wellFormed(feedback) }),
    ...(answers !== undefined && { answers: wellFormed(answers) }),
  };
}

/** The calls of a message are those that were requested, with the same ids and arguments. */
function wellFormedMessage(message: ModelMessage): ModelMessage {
  const parts = message.parts.map((part): MessagePart => ('functionCall' in part ? part : wellFormed(part)));
  return { ...message, parts };
}
