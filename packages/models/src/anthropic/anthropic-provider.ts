import type { Credential, HttpCall, HttpLimits } from '../http/call.js';
import { textOf } from '../http/read-json.js';
import type { Provider } from '../provider.js';
import { Concessions } from '../translation/concessions.js';
import { readAnswer, type Wire } from '../translation/read-answer.js';
import { WireNames } from '../translation/wire-names.js';
import { AnthropicAnswer } from './answer.js';
import { type Concession, requestBody } from './request-body.js';

export type AnthropicOptions = {
  /** The name a person knows the provider by. */
  readonly name: string;
  /** Without its version: `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly credential: Credential | null;
  /** The longest answer that a model can give; the wire wants a limit with every request. */
  readonly maxOutputTokens?: (model: string) => number | null;
  readonly limits?: Partial<HttpLimits>;
};

const WIRE_VERSION = '2023-06-01';
/** What every model since Claude 3.5 allows; older ones are no longer served. */
const OUTPUT_TOKENS_DEFAULT = 8_192;
/** Longer answers are possible, but the limit is taken off the window, which a long conversation needs itself. */
const OUTPUT_TOKENS_WANTED = 32_000;

/** Models behind Anthropic's messages. */
export function anthropicProvider(options: AnthropicOptions): Provider {
  const { name, credential, limits } = options;
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const origin = `anthropic ${base.replace(/^https?:\/\//, '')}`;
  const concessions = new Concessions<Concession>({
    thinking: { names: /thinking/i, isIn: /"thinking":\{"type":"adaptive"/, of: 'the model' },
    temperature: { names: /temperature/i, isIn: /"temperature":/, of: 'the model' },
    media: { names: /image|document|pdf/i, isIn: /\{"type":"(image|document)"/, of: 'the request' },
  });

  return {
    name,
    stream: (request, signal) =>
      concessions.stream(request.model, (conceded) => {
        const { model } = request;
        const names = new WireNames(request.declarations);
        const possible = options.maxOutputTokens?.(model) ?? OUTPUT_TOKENS_DEFAULT;
        const maxOutputTokens = request.maxOutputTokens ?? Math.min(possible, OUTPUT_TOKENS_WANTED);
        const body = requestBody(request, { origin, names, maxOutputTokens, conceded });
        const call: HttpCall = {
          provider: name,
          url: `${base}/v1/messages`,
          headers: {
            accept: 'text/event-stream',
            'anthropic-version': WIRE_VERSION,
            ...(credential && { 'x-api-key': credential.value }),
          },
          credential,
          body,
          ...(limits && { limits }),
        };
        const answer = new AnthropicAnswer({ origin, names, model });
        return { body, events: readAnswer(call, { answer, wire: WIRE, signal }) };
      }),
  };
}

const STATUS: { readonly [type: string]: number } = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};
const WIRE: Wire = {
  isLast: ({ event, data }) => event === 'message_stop' || /^\{\s*"type":\s*"message_stop"/.test(data),
  statusOf: ({ type }) => STATUS[textOf(type) ?? ''] ?? 500,
};
