import type { JsonObject } from '@countersign/protocol';
import type { Credential, HttpCall, HttpLimits } from '../http/call.js';
import { nonsense, postForEvents } from '../http/events.js';
import { requestJson } from '../http/json-answer.js';
import { parseJson } from '../http/read-json.js';
import type { FinishedEvent, ModelRequest, Provider } from '../provider.js';
import { GeminiAnswer } from './answer.js';
import { requestBody } from './request-body.js';

export type GeminiOptions = {
  /** A proxy may add the key itself, and want none. */
  readonly credential: Credential | null;
  /** With or without the version at its end: `https://generativelanguage.googleapis.com`. */
  readonly baseUrl: string;
  readonly limits?: Partial<HttpLimits>;
};

export type Completion = {
  readonly finished: FinishedEvent;
  /** Google's `groundingMetadata`: queries, sources, and which text rests on which. */
  readonly grounding: JsonObject | null;
};

export type GeminiProvider = Provider & {
  /** The whole answer at once, with Google's own tools if named: `[{ googleSearch: {} }]`. */
  readonly complete: (
    request: ModelRequest,
    signal: AbortSignal,
    tools?: readonly JsonObject[],
  ) => Promise<Completion>;
};

const GEMINI_NAME = 'Gemini';
const ENDS_WITH_VERSION = /\/v1(alpha|beta)?$/;

export function geminiProvider(options: GeminiOptions): GeminiProvider {
  return {
    name: GEMINI_NAME,

    async *stream(request, signal) {
      const call = callOf(options, request.model, 'streamGenerateContent?alt=sse', requestBody(request));
      const answer = new GeminiAnswer(call, request.model);
      for await (const { data } of postForEvents(call, signal)) {
        const chunk = parseJson(data);
        if (chunk === undefined) throw nonsense(call, 'a chunk is not JSON', data);
        yield* answer.read(chunk);
      }
      yield answer.finished();
    },

    async complete(request, signal, tools) {
      const call = callOf(options, request.model, 'generateContent', requestBody(request, tools));
      const answer = new GeminiAnswer(call, request.model);
      answer.read(await requestJson(call, signal));
      return { finished: answer.finished(), grounding: answer.grounding };
    },
  };
}

function callOf(options: GeminiOptions, model: string, method: string, body: JsonObject): HttpCall {
  const { credential, baseUrl, limits } = options;
  const base = baseUrl.replace(/\/+$/, '');
  const root = ENDS_WITH_VERSION.test(base) ? base : `${base}/v1beta`;
  return {
    provider: GEMINI_NAME,
    url: `${root}/${pathOf(model)}:${method}`,
    // Not in the URL, which servers and proxies write into their logs.
    headers: credential ? { 'x-goog-api-key': credential.value } : {},
    credential,
    body,
    ...(limits && { limits }),
  };
}

/** `gemini-x`, `models/gemini-x` and `tunedModels/x` are all names that people and Google use. */
function pathOf(model: string): string {
  const path = model.split('/').map(encodeURIComponent).join('/');
  return path.includes('/') ? path : `models/${path}`;
}
