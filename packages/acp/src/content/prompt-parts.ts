import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk';
import type { MessagePart } from '@countersign/protocol';
import { fenced } from './markdown.js';
import { badRequest } from './request-failure.js';

export type ReadPrompt = {
  readonly parts: readonly MessagePart[];
  /** The parts that the user attached instead of typing them. */
  readonly attached: readonly MessagePart[];
  /** What the person wrote themselves, without what is attached to it. */
  readonly typed: string;
};

/** A prompt from an editor, as parts of a message to the model. */
export function readPrompt(blocks: readonly ContentBlock[], workspace: string): ReadPrompt {
  const parts = blocks.flatMap((block) => partFor(block, workspace));
  if (parts.length === 0) throw badRequest('the prompt is empty');
  const typed = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const attached = blocks.filter(({ type }) => type !== 'text').flatMap((block) => partFor(block, workspace));
  return { parts, attached, typed };
}

function partFor(block: ContentBlock, workspace: string): readonly MessagePart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ text: block.text }];
    case 'image':
      return [{ inlineData: { mimeType: block.mimeType, data: block.data } }];
    case 'audio':
      throw badRequest('audio is not supported, as the response to initialize states');
    case 'resource_link':
      return [{ text: `Linked: ${block.name} (${placeOf(block.uri, workspace)})` }];
    case 'resource':
      return [partForResource(block.resource, workspace)];
  }
}

function partForResource(resource: EmbeddedResourceResource, workspace: string): MessagePart {
  const place = placeOf(resource.uri, workspace);
  if ('text' in resource) return { text: `Attached: ${place}\n${fenced(resource.text)}` };
  const { mimeType, blob } = resource;
  if (mimeType && isSeen(mimeType)) return { inlineData: { mimeType, data: blob } };
  return { text: `Attached, but not shown: ${place} (${mimeType ?? 'unknown type'})` };
}

/** What models can look at. */
const isSeen = (mimeType: string): boolean => mimeType.startsWith('image/') || mimeType === 'application/pdf';

/** A file by the path that tools take; anything else by its address. */
function placeOf(uri: string, workspace: string): string {
  const path = pathOf(uri);
  if (path === null) return uri;
  const inside = relative(workspace, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path;
}

function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch {
    return null;
  }
}

/** Parts of an earlier message, as an editor shows them. */
export function blocksOf(parts: readonly MessagePart[]): readonly ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    const { text, inlineData, thought } = part;
    if (typeof text === 'string' && thought !== true) return text === '' ? [] : [{ type: 'text', text }];
    return imageIn(inlineData);
  });
}

export const thoughtsIn = (parts: readonly MessagePart[]): readonly ContentBlock[] =>
  parts.flatMap(({ text, thought }) =>
    thought === true && typeof text === 'string' && text !== '' ? [{ type: 'text' as const, text }] : [],
  );

/** A picture in Gemini's words; nothing for whatever else it may be. */
export function imageIn(inlineData: unknown): ContentBlock[] {
  if (typeof inlineData !== 'object' || inlineData === null) return [];
  if (!('data' in inlineData && 'mimeType' in inlineData)) return [];
  const { data, mimeType } = inlineData;
  if (typeof data !== 'string' || typeof mimeType !== 'string' || !mimeType.startsWith('image/')) return [];
  return [{ type: 'image', data, mimeType }];
}
