import type { JsonObject } from '@countersign/protocol';
import type { ModelRequest } from '../provider.js';
import { allowedDeclarations } from '../translation/allowed-declarations.js';
import { objectSchema } from '../translation/object-schema.js';
import { turnsOf } from '../translation/turns.js';
import type { WireNames } from '../translation/wire-names.js';
import { messagesOf } from './messages.js';

/** What a server turned out not to take. */
export type Concession = 'usage' | 'length_word' | 'temperature' | 'media' | 'reasoning';

export type Endpoint = {
  readonly origin: string;
  readonly names: WireNames;
  readonly conceded: ReadonlySet<Concession>;
};

/** OpenAI's limit; other servers copy ids without looking at them. */
const ACCEPTED_ID = /^[\x21-\x7e]{1,40}$/;

export function requestBody(request: ModelRequest, { origin, names, conceded }: Endpoint): JsonObject {
  const { model, system, contents, temperature } = request;
  const turns = turnsOf(contents, { origin, acceptedId: ACCEPTED_ID });
  const media = conceded.has('media') ? 'in words' : 'shown';
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messagesOf(turns, { names, media }),
    ],
    ...toolsOf(request, names),
    ...lengthOf(request, { origin, conceded }),
    ...(temperature !== undefined && !conceded.has('temperature') && { temperature }),
    // Newer models of OpenAI's take functions over this wire only if they do not reason.
    ...(conceded.has('reasoning') && { reasoning_effort: 'none' }),
    stream: true,
    ...(!conceded.has('usage') && { stream_options: { include_usage: true } }),
  };
}

function toolsOf(request: ModelRequest, names: WireNames): JsonObject {
  const declarations = allowedDeclarations(request);
  // Which function to choose may be said only where there are any.
  if (declarations.length === 0) return {};
  const tools = declarations.map(({ name, description, parametersJsonSchema }) => ({
    type: 'function',
    function: {
      name: names.toWire(name),
      ...(description !== '' && { description }),
      parameters: objectSchema(parametersJsonSchema),
    },
  }));
  const [only] = request.toolChoice?.allowed?.length === 1 ? declarations : [];
  switch (request.toolChoice?.mode) {
    case undefined:
    case 'auto':
      return { tools };
    case 'none':
      return { tools, tool_choice: 'none' };
    case 'any':
      return {
        tools,
        tool_choice: only ? { type: 'function', function: { name: names.toWire(only.name) } } : 'required',
      };
  }
}

/** OpenAI renamed the limit, and refuses the old word for newer models; other servers may know only the old one. */
function lengthOf(
  { maxOutputTokens }: ModelRequest,
  { origin, conceded }: Pick<Endpoint, 'origin' | 'conceded'>,
): JsonObject {
  if (maxOutputTokens === undefined) return {};
  const isNewWord = /^openai api\.openai\.com\b/.test(origin) !== conceded.has('length_word');
  return isNewWord ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens };
}
