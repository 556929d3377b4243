import type { JsonObject } from '@countersign/protocol';
import type { Credential } from '../http/call.js';
import { requestJson } from '../http/json-answer.js';
import { listOf, objectOf, textOf } from '../http/read-json.js';
import { ModelError } from '../provider.js';

/** A server on this machine answers at once; a person who has none must not wait for it. */
const ASK_WITHIN_MS = 1_000;
const OLLAMA_PORT = 11_434;
/** Models that make vectors, not words. */
const EMBEDS = /embed|^bge-|minilm/i;

/** The models that Ollama has, last changed first; null if it does not run. */
export async function ollamaModels(
  host: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const answer = await ask('Ollama', `${ollamaBaseUrl(host)}/api/tags`, null, signal);
  return answer && namesIn(answer, 'models', 'name');
}

/** The models of an OpenAI-compatible server; null if it does not list them. */
export async function modelsAt(
  baseUrl: string,
  credential: Credential | null,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const answer = await ask('The server', `${baseUrl.replace(/\/+$/, '')}/models`, credential, signal);
  return answer && namesIn(answer, 'data', 'id');
}

/** `OLLAMA_HOST` may lack its scheme or its port, and may name the address that a server listens on for all. */
export function ollamaBaseUrl(host: string | undefined): string {
  const given = host?.trim() || '127.0.0.1';
  const [, scheme, rest = ''] = /^(https?:\/\/)?(.*?)\/*$/s.exec(given) ?? [];
  const address = rest.replace(/^(0\.0\.0\.0|\[::\])?(?=:\d+$|$)/, '127.0.0.1');
  const hasPort = /:\d+(\/|$)/.test(address);
  return `${scheme ?? 'http://'}${address}${hasPort || scheme ? '' : `:${OLLAMA_PORT}`}`;
}

async function ask(
  provider: string,
  url: string,
  credential: Credential | null,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const inTime = AbortSignal.timeout(ASK_WITHIN_MS);
  const headers: Record<string, string> = credential ? { authorization: `Bearer ${credential.value}` } : {};
  try {
    return await requestJson(
      { provider, url, headers, credential, body: null },
      AbortSignal.any([signal, inTime]),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError || inTime.aborted) return null;
    throw error;
  }
}

function namesIn(answer: JsonObject, list: string, field: string): readonly string[] {
  const names = listOf(answer[list]).map((entry) => textOf(objectOf(entry)?.[field]));
  return names.filter((name) => name !== undefined).filter((name) => !EMBEDS.test(name));
}
