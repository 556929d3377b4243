import { readFile } from 'node:fs/promises';
import type { Json } from '@countersign/protocol';
import { GeminiAnswer, type GeminiProvider } from '../gemini/index.js';
import type { Source } from '../http/call.js';
import { nonsense } from '../http/events.js';
import { listOf, objectOf, parseJson, textOf } from '../http/read-json.js';
import { ModelError } from '../provider.js';

const BY_METHOD = { generateContentStream: 'a stream', generateContent: 'a whole answer' } as const;
type Method = keyof typeof BY_METHOD;

/** A recording in a file; see `replayProvider`. */
export async function replayFile(path: string): Promise<GeminiProvider> {
  let recording: string;
  try {
    recording = await readFile(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `The recorded responses cannot be read: ${why}.`;
    throw new ModelError({ code: 'model_not_configured', problem, fix: 'Give the path of a recording.' });
  }
  return replayProvider(recording, path);
}

/**
 * A model that says again what one said before: JSON lines as Gemini CLI records them, `{"method":
 * "generateContentStream", "response": [chunk, …]}` and `{"method": "generateContent", "response": {…}}`. Each method
 * takes its own lines in order: recordings also hold questions of Gemini CLI's own, such as which model to use, that
 * we never ask.
 */
export function replayProvider(recording: string, name: string): GeminiProvider {
  const source: Source = { provider: `The recording ${name}`, credential: null };
  const left = readLines(recording, source);
  const next = (method: Method): Json => {
    const response = left[method].shift();
    if (response !== undefined) return response;
    const message = `it has no further response to a request for ${BY_METHOD[method]} ("${method}").`;
    throw new ModelError({ code: 'model_rejected', provider: source.provider, status: null, message });
  };

  return {
    name: source.provider,

    async *stream(request, signal) {
      signal.throwIfAborted();
      const answer = new GeminiAnswer(source, request.model);
      for (const chunk of listOf(next('generateContentStream'))) {
        yield* answer.read(chunk);
        signal.throwIfAborted();
      }
      yield answer.finished();
    },

    async complete(request, signal) {
      signal.throwIfAborted();
      const answer = new GeminiAnswer(source, request.model);
      answer.read(next('generateContent'));
      return { finished: answer.finished(), grounding: answer.grounding };
    },
  };
}

function readLines(recording: string, source: Source): { readonly [M in Method]: Json[] } {
  const responses: { readonly [M in Method]: Json[] } = { generateContentStream: [], generateContent: [] };
  for (const [index, line] of recording.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { method, response } = objectOf(parseJson(line)) ?? {};
    const of = textOf(method);
    if (of === undefined || response === undefined) {
      throw nonsense(source, `line ${index + 1} is not a recorded response`, line);
    }
    if (isMethod(of)) responses[of].push(response);
  }
  return responses;
}

const isMethod = (name: string): name is Method => Object.hasOwn(BY_METHOD, name);
