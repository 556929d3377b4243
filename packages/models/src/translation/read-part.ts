import type { JsonObject } from '@countersign/protocol';
import { listOf, objectOf, textOf } from '../http/read-json.js';
import type { Part } from '../provider.js';

export type Words = { readonly kind: 'words'; readonly text: string };
/** `data` is base64. */
export type Media = { readonly kind: 'media'; readonly mimeType: string; readonly data: string };
export type Link = { readonly kind: 'link'; readonly mimeType: string; readonly uri: string };
/** Something a message holds on any wire. */
export type Piece = Words | Media | Link;

export type CallPart = {
  readonly kind: 'call';
  readonly id: string | null;
  readonly name: string;
  readonly args: JsonObject;
  readonly wire: JsonObject;
};
export type ResponsePart = {
  readonly kind: 'response';
  readonly id: string | null;
  readonly name: string;
  readonly failed: boolean;
  readonly text: string;
  readonly media: readonly Piece[];
};
/** A thought, or a block of this wire that Gemini has no word for. Only the provider that made it can read it. */
export type OwnPart = {
  readonly kind: 'own';
  readonly text: string;
  readonly signature: string | null;
  readonly wire: JsonObject;
};
export type ReadPart = Piece | CallPart | ResponsePart | OwnPart;

export const isPiece = (part: ReadPart): part is Piece =>
  part.kind === 'words' || part.kind === 'media' || part.kind === 'link';

/**
 * What a part of the history says. Null: nothing that goes onto the wire of `origin`, such as another provider's
 * thoughts, whose signatures would be refused here.
 */
export function readPart(part: Part, origin: string): ReadPart | null {
  const written = objectOf(part.wire);
  const wire = written?.origin === origin ? written : null;

  const call = objectOf(part.functionCall);
  if (call) {
    const { id, name, args } = call;
    return {
      kind: 'call',
      id: textOf(id) || null,
      name: textOf(name) ?? '',
      args: objectOf(args) ?? {},
      wire: wire ?? {},
    };
  }
  const response = objectOf(part.functionResponse);
  if (response) return readResponse(response);

  const text = textOf(part.text);
  if (part.thought === true || (written && text === undefined)) {
    const signature = textOf(part.thoughtSignature) ?? null;
    return wire && { kind: 'own', text: text ?? '', signature, wire };
  }
  if (text !== undefined) return { kind: 'words', text };
  return readMedia(part) ?? readRest(part);
}

function readResponse({ id, name, response, parts }: JsonObject): ResponsePart {
  return {
    kind: 'response',
    id: textOf(id) || null,
    name: textOf(name) ?? '',
    ...resultOf(objectOf(response) ?? {}),
    media: listOf(parts).flatMap((part) => readMedia(objectOf(part) ?? {}) ?? []),
  };
}

/** `{output}` and `{error}` are how results are wrapped for Gemini; the other wires have a place for the text itself. */
function resultOf(response: JsonObject): { readonly failed: boolean; readonly text: string } {
  const { output, error, ...others } = response;
  if (Object.keys(others).length === 0) {
    if (error === undefined && typeof output === 'string') return { failed: false, text: output };
    if (output === undefined && typeof error === 'string') return { failed: true, text: error };
  }
  return { failed: error !== undefined, text: JSON.stringify(response) };
}

function readMedia(part: Part): Media | Link | null {
  const { inlineData, fileData } = part;
  const { mimeType, data } = objectOf(inlineData) ?? {};
  if (typeof data === 'string' && data !== '') {
    return { kind: 'media', mimeType: textOf(mimeType) ?? 'application/octet-stream', data };
  }
  const { mimeType: linked, fileUri } = objectOf(fileData) ?? {};
  return typeof fileUri === 'string' ? { kind: 'link', mimeType: textOf(linked) ?? '', uri: fileUri } : null;
}

/** Gemini's rarer words, such as `executableCode`, are plain enough to be read as they are. */
function readRest(part: Part): Words | null {
  const { thoughtSignature: _, wire: __, ...rest } = part;
  return Object.keys(rest).length === 0 ? null : { kind: 'words', text: JSON.stringify(rest) };
}
