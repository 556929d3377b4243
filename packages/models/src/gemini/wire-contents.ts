import { familyOf, type JsonObject } from '@countersign/protocol';
import { listOf, objectOf, textOf } from '../http/read-json.js';

import type { Content, Part } from '../provider.js';

/**
 * Google's own word for a call that another model made, or a person: Gemini 3 rejects a call of the current turn that
 * has no signature.
 */
const UNSIGNED = 'skip_thought_signature_validator';
/** What Gemini 3 takes inside a function response; other media go beside it, as for earlier models. */
const NESTED_MEDIA = /^(image\/|application\/pdf$|text\/plain$)/;

/** The history as Gemini takes it: its own parts verbatim, those of other wires in Gemini's words alone. */
export function wireContents(contents: readonly Content[], model: string): readonly JsonObject[] {
  const isGemini3 = familyOf(model) === 'gemini-3';
  const callIds = idsOfCalls(contents);
  const turnBegins = contents.findLastIndex(isSaidByPerson);
  const wired = contents.map(({ role, parts }, index) => {
    const own = parts.flatMap(ownPart).map((part) => withKnownId(part, callIds));
    if (role === 'user') return { role, parts: isGemini3 ? nested(own) : own.flatMap(lifted) };
    return { role, parts: isGemini3 && index > turnBegins ? signed(own) : own };
  });
  // Gemini rejects a message without parts, which is what an empty answer leaves in the history.
  return wired.filter(({ parts }) => parts.length > 0);
}

/** A thought or a signature of another provider means nothing here, and Gemini checks its own. */
function ownPart(part: Part): readonly Part[] {
  if (part.wire === undefined) return [part];
  const { wire: _, thoughtSignature: __, ...rest } = part;
  return rest.thought === true || Object.keys(rest).length === 0 ? [] : [rest];
}

const isSaidByPerson = ({ role, parts }: Content) =>
  role === 'user' && parts.some((part) => part.functionResponse === undefined && part.text !== undefined);

function idsOfCalls(contents: readonly Content[]): ReadonlySet<string> {
  const ids = contents.flatMap(({ parts }) =>
    parts.map((part) => textOf(objectOf(part.functionCall)?.id) ?? []),
  );
  return new Set(ids.flat());
}

/** A call without an id is answered without one, by its place: the id is then ours, which Gemini has never seen. */
function withKnownId(part: Part, callIds: ReadonlySet<string>): Part {
  const response = objectOf(part.functionResponse);
  if (response?.id === undefined || callIds.has(textOf(response.id) ?? '')) return part;
  const { id: _, ...rest } = response;
  return { ...part, functionResponse: rest };
}

/** Media that follow a function response belong to it. */
function nested(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const response = objectOf(result.at(-1)?.functionResponse);
    const mimeType = textOf(objectOf(part.inlineData)?.mimeType) ?? '';
    if (response && NESTED_MEDIA.test(mimeType)) {
      const functionResponse = { ...response, parts: [...listOf(response.parts), part] };
      result.splice(-1, 1, { ...result.at(-1), functionResponse });
    } else {
      result.push(part);
    }
  }
  return result;
}

/** Before Gemini 3 a function response holds JSON only; its media follow it. */
function lifted(part: Part): readonly Part[] {
  const response = objectOf(part.functionResponse);
  if (response?.parts === undefined) return [part];
  const { parts, ...rest } = response;
  const media = listOf(parts)
    .map(objectOf)
    .filter((inner) => inner !== undefined);
  return [{ ...part, functionResponse: rest }, ...media];
}

/** Of the calls of one answer the first carries the signature. */
function signed(parts: readonly Part[]): readonly Part[] {
  const first = parts.findIndex((part) => part.functionCall !== undefined);
  return parts.map((part, index) =>
    index === first && part.thoughtSignature === undefined ? { ...part, thoughtSignature: UNSIGNED } : part,
  );
}
