import type { Credential, HttpCall, HttpLimits } from '../http/call.js';
import { numberOf, textOf } from '../http/read-json.js';
import type { Provider } from '../provider.js';
import { Concessions } from '../translation/concessions.js';
import { readAnswer, type Wire } from '../translation/read-answer.js';
import { WireNames } from '../translation/wire-names.js';
import { OpenAiAnswer } from './answer.js';
import { type Concession, requestBody } from './request-body.js';

export type OpenAiOptions = {
  /** The name a person knows the provider by: `OpenAI`, `Ollama`. */
  readonly name: string;
  /** With its version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Local servers want none. */
  readonly credential: Credential | null;
  readonly limits?: Partial<HttpLimits>;
};

/** Models behind OpenAI's chat completions, which most servers of open models support too. */
export function openAiProvider(options: OpenAiOptions): Provider {
  const { name, credential, limits } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const origin = `openai ${base.replace(/^https?:\/\//, '')}`;
  const concessions = new Concessions<Concession>({
    usage: { names: /stream_options|include_usage/i, isIn: /"stream_options":/, of: 'the model' },
    length_word: {
      names: /max_(completion_)?tokens/i,
      isIn: /"max_(completion_)?tokens":\d/,
      of: 'the model',
    },
    temperature: { names: /temperature/i, isIn: /"temperature":/, of: 'the model' },
    reasoning: { names: /reasoning[_ ]effort/i, isIn: /"tools":\[/, of: 'the model' },
    media: {
      names: /image|multimodal|vision|audio|\bfile\b|content (type|part)/i,
      isIn: /\{"type":"(image_url|input_audio|file)"/,
      of: 'the request',
    },
  });

  return {
    name,
    stream: (request, signal) =>
      concessions.stream(request.model, (conceded) => {
        const names = new WireNames(request.declarations);
        const body = requestBody(request, { origin, names, conceded });
        const call: HttpCall = {
          provider: name,
          url: `${base}/chat/completions`,
          headers: {
            accept: 'text/event-stream',
            ...(credential && { authorization: `Bearer ${credential.value}` }),
          },
          credential,
          body,
          ...(limits && { limits }),
        };
        const answer = new OpenAiAnswer({ origin, names, model: request.model });
        return { body, events: readAnswer(call, { answer, wire: WIRE, signal }) };
      }),
  };
}

const WIRE: Wire = {
  isLast: ({ data }) => data === '[DONE]',
  statusOf: (error) => {
    const code = numberOf(error.code) ?? numberOf(error.status);
    if (code !== undefined && code >= 400 && code < 600) return code;
    const words = `${textOf(error.code) ?? ''} ${textOf(error.type) ?? ''}`;
    if (/rate_limit|insufficient_quota/.test(words)) return 429;
    if (/authentication|invalid_api_key/.test(words)) return 401;
    return /invalid_request|context_length|BadRequest/i.test(words) ? 400 : 500;
  },
};
