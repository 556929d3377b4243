import type { JsonObject } from '@countersign/protocol';
import { listOf, objectOf } from '../http/read-json.js';
import type { ModelRequest } from '../provider.js';
import { allowedDeclarations } from '../translation/allowed-declarations.js';
import { objectSchema } from '../translation/object-schema.js';
import { type Turn, turnsOf } from '../translation/turns.js';
import type { WireNames } from '../translation/wire-names.js';
import { messagesOf } from './messages.js';

/** What a model turned out not to take. */
export type Concession = 'thinking' | 'temperature' | 'media';

export type Endpoint = {
  readonly origin: string;
  readonly names: WireNames;
  readonly maxOutputTokens: number;
  readonly conceded: ReadonlySet<Concession>;
};

const ACCEPTED_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A mark up to which the provider keeps what it has read, so that the next request pays a tenth for it. */
const KEPT = { cache_control: { type: 'ephemeral' } };

/** Models before 4.6 think only within a budget that a request has to set; they answer without thinking. */
const WITHOUT_THINKING = /claude-(2|3|instant)|-4(-[0-5])?(-\d{8})?(-latest)?$/;

export function requestBody(request: ModelRequest, endpoint: Endpoint): JsonObject {
  const { model, system, contents, temperature } = request;
  const { origin, names, conceded } = endpoint;
  const turns = turnsOf(contents, { origin, acceptedId: ACCEPTED_ID });
  const media = conceded.has('media') ? 'in words' : 'shown';
  const thinks =
    !conceded.has('thinking') && !WITHOUT_THINKING.test(model) && request.toolChoice?.mode !== 'any';
  return {
    model,
    max_tokens: endpoint.maxOutputTokens,
    ...(system.trim() !== '' && { system: [{ type: 'text', text: system, ...KEPT }] }),
    ...toolsOf(request, turns, names),
    messages: keptToTheEnd(messagesOf(turns, { names, media })),
    // The model sees for itself whether and how long. A forced call leaves no place for it.
    ...(thinks && { thinking: { type: 'adaptive', display: 'summarized' } }),
    // While it thinks, no other than the default is accepted.
    ...(temperature !== undefined && !thinks && !conceded.has('temperature') && { temperature }),
    stream: true,
  };
}

function toolsOf(request: ModelRequest, turns: readonly Turn[], names: WireNames): JsonObject {
  const declarations = allowedDeclarations(request);
  if (declarations.length === 0) return formerTools(turns, names);
  const tools = declarations.map(({ name, description, parametersJsonSchema }, index) => ({
    name: names.toWire(name),
    ...(description !== '' && { description }),
    input_schema: objectSchema(parametersJsonSchema),
    ...(index === declarations.length - 1 && KEPT),
  }));
  const [only] = request.toolChoice?.allowed?.length === 1 ? declarations : [];
  switch (request.toolChoice?.mode) {
    case undefined:
    case 'auto':
      return { tools };
    case 'none':
      return { tools, tool_choice: { type: 'none' } };
    case 'any':
      return { tools, tool_choice: only ? { type: 'tool', name: names.toWire(only.name) } : { type: 'any' } };
  }
}

/** Calls of the past need declared functions on this wire, even if none may be called now, as for a summary. */
function formerTools(turns: readonly Turn[], names: WireNames): JsonObject {
  const called = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' ? names.toWire(part.name) : [])),
  );
  if (called.length === 0) return {};
  const tools = [...new Set(called)].map((name) => ({
    name,
    description: 'No longer available.',
    input_schema: objectSchema({}),
  }));
  return { tools, tool_choice: { type: 'none' } };
}

/** What was said so far is what the next request begins with. */
function keptToTheEnd(messages: readonly JsonObject[]): readonly JsonObject[] {
  const last = messages.at(-1) ?? {};
  const blocks = listOf(last.content);
  const marked = { ...objectOf(blocks.at(-1)), ...KEPT };
  return [...messages.slice(0, -1), { ...last, content: [...blocks.slice(0, -1), marked] }];
}
