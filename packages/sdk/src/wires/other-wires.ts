import type { Part } from '@countersign/kernel';
import type { ToolCallResponseInfo } from '../types/call-types.js';

/** What these forms are made from: the response of a completed call. */
export type WireResponse = Pick<ToolCallResponseInfo, 'callId' | 'responseParts'>;

/**
 * A result in the form of OpenAI's chat.
 *
 * @example
 * ```ts
 * const message: OpenAiToolMessage = toOpenAiToolMessage(completed.response);
 * ```
 */
export type OpenAiToolMessage = {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
};

/**
 * The images of a result in the form of OpenAI's chat.
 *
 * @example
 * ```ts
 * const message: OpenAiImageMessage | null = toOpenAiImageMessage(completed.response);
 * ```
 */
export type OpenAiImageMessage = {
  readonly role: 'user';
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  )[];
};

/**
 * A result in the form of Anthropic's messages.
 *
 * @example
 * ```ts
 * const block: AnthropicToolResult = toAnthropicToolResult(completed.response);
 * ```
 */
export type AnthropicToolResult = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly AnthropicBlock[];
  readonly is_error?: true;
};

/** What an Anthropic result may hold. */
export type AnthropicBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'document';
      readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
    };

/** The image types that both wires take. */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * A result for OpenAI-compatible models. A tool message holds only text: see `toOpenAiImageMessage` for images.
 *
 * @example
 * ```ts
 * const messages = [toOpenAiToolMessage(completed.response)];
 * ```
 */
export function toOpenAiToolMessage({ callId, responseParts }: WireResponse): OpenAiToolMessage {
  const text = translated(responseParts, () => null).join('\n');
  // This format has no field for failure, so the text states it.
  const content = isError(responseParts) ? `Error: ${text}` : text;
  return { role: 'tool', tool_call_id: callId, content };
}

/**
 * The images of a result, to be sent after the last tool message of the turn; null if it has none.
 *
 * @example
 * ```ts
 * const images = toOpenAiImageMessage(completed.response);
 * if (images) show(images.role);
 * ```
 */
export function toOpenAiImageMessage({ callId, responseParts }: WireResponse): OpenAiImageMessage | null {
  const images = responseParts
    .map(inlineOf)
    .filter((media) => media !== null)
    .filter(isImage);
  if (images.length === 0) return null;
  return {
    role: 'user',
    content: [
      { type: 'text', text: `From the tool call ${callId}:` },
      ...images.map(({ mimeType, data }) => ({
        type: 'image_url' as const,
        image_url: { url: `data:${mimeType};base64,${data}` },
      })),
    ],
  };
}

/**
 * A result for Anthropic's models: text, images and PDF files inside the result, and `is_error` where the call failed.
 *
 * @example
 * ```ts
 * const content = [toAnthropicToolResult(completed.response)];
 * ```
 */
export function toAnthropicToolResult({ callId, responseParts }: WireResponse): AnthropicToolResult {
  const pieces = translated(responseParts, anthropicMedia);
  const texts = pieces.filter((piece) => typeof piece === 'string');
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content: texts.length === pieces.length ? texts.join('\n') : pieces.flatMap(anthropicBlock),
    ...(isError(responseParts) && { is_error: true }),
  };
}

// An empty text block is refused by that wire.
const anthropicBlock = (piece: string | AnthropicBlock): readonly AnthropicBlock[] =>
  typeof piece !== 'string' ? [piece] : piece === '' ? [] : [{ type: 'text', text: piece }];

function anthropicMedia(media: Inline): AnthropicBlock | null {
  const source = { type: 'base64', media_type: media.mimeType, data: media.data } as const;
  if (isImage(media)) return { type: 'image', source };
  return media.mimeType === 'application/pdf' ? { type: 'document', source } : null;
}

type Inline = { readonly mimeType: string; readonly data: string };

/** Part by part: text as it is, media as the wire takes it, and words for what it does not take. */
function translated<T>(parts: readonly Part[], asMedia: (media: Inline) => T | null): (string | T)[] {
  const pieces: (string | T)[] = [];
  for (const part of parts) {
    const inline = inlineOf(part);
    const media = inline && asMedia(inline);
    const piece = media ?? wordsFor(part);
    // A lone binary part comes with its description already.
    if (media !== null || !pieces.includes(piece)) pieces.push(piece);
  }
  return pieces;
}

function wordsFor(part: Part): string {
  if (part.functionResponse) return wordsOfResponse(part.functionResponse.response ?? {});
  if (part.inlineData)
    return `Binary content of type ${part.inlineData.mimeType || 'unknown'} was processed.`;
  if (part.fileData)
    return `File of type ${part.fileData.mimeType || 'unknown'}: ${part.fileData.fileUri ?? 'no address given'}`;
  return part.text ?? JSON.stringify(part);
}

function wordsOfResponse(response: Record<string, unknown>): string {
  // The output of a command states its exit code and signal, too.
  const { error, output, exitCode: _, signal: __, ...others } = response;
  const texts = [error, output].filter((text) => typeof text === 'string');
  return texts.length > 0 && Object.keys(others).length === 0 ? texts.join('\n') : JSON.stringify(response);
}

const isError = (parts: readonly Part[]): boolean =>
  parts.some(({ functionResponse }) => functionResponse?.response?.error !== undefined);

const isImage = ({ mimeType }: Inline): boolean => IMAGE_TYPES.has(mimeType);

function inlineOf({ inlineData }: Part): Inline | null {
  const { mimeType, data } = inlineData ?? {};
  return mimeType !== undefined && data !== undefined ? { mimeType, data } : null;
}
