import type { Failure, Json, JsonObject } from '@countersign/protocol';
import type { Source } from './call.js';
import { oneLine } from './one-line.js';
import { listOf, numberOf, objectOf, parseJson, textOf } from './read-json.js';
import { retryAfterMs } from './retry-after.js';

export type ErrorAnswer = {
  readonly status: number;
  /** What the headers say: `Retry-After`, `Retry-After-Ms`. */
  readonly retryAfterMs: number | null;
  readonly body: string;
};

/** What an answer that is none means: one of the `model_…` failures. */
export function answerFailure(source: Source, answer: ErrorAnswer): Failure {
  const { provider, credential } = source;
  const { status } = answer;
  const error = readError(parseJson(answer.body));
  const message = oneLine(error.message ?? answer.body, credential) || 'no reason was given';
  if (status === 401 || status === 403 || error.keyIsWrong) {
    return { code: 'model_refused', provider, status, message, credential: credential?.from ?? null };
  }
  if ((status === 408 || status === 429 || status >= 500) && !error.isSpent) {
    const wait = answer.retryAfterMs ?? error.retryAfterMs;
    return { code: 'model_overloaded', provider, status, message, retryAfterMs: wait };
  }
  return { code: 'model_rejected', provider, status, message };
}

/** The failure that a piece of a stream reports in place of content; null if it reports none. */
export function failureInStream(source: Source, piece: Json | undefined): Failure | null {
  const holder = holderOf(piece);
  if (holder === undefined || (holder.error ?? null) === null) return null;
  const code = numberOf(objectOf(holder.error)?.code);
  // An error after "200 OK" that does not say its status is one of the server's own.
  const status = code !== undefined && code >= 400 && code < 600 ? code : 500;
  return answerFailure(source, { status, retryAfterMs: null, body: JSON.stringify(holder) });
}

type ReadError = {
  readonly message: string | undefined;
  /** Google answers 400 to a wrong key. */
  readonly keyIsWrong: boolean;
  /** A quota that no waiting of ours brings back: the day's at Google, the money at OpenAI. */
  readonly isSpent: boolean;
  readonly retryAfterMs: number | null;
};

/** All providers put it under `error`: an object with a `message`, or the message itself. */
function readError(body: Json | undefined): ReadError {
  const holder = holderOf(body);
  const error = objectOf(holder?.error);
  const details = listOf(error?.details)
    .map(objectOf)
    .filter((detail) => detail !== undefined);
  const delay = details.map(({ retryDelay }) => textOf(retryDelay)).find((text) => text !== undefined);
  return {
    message: textOf(error?.message) ?? textOf(holder?.error) ?? textOf(holder?.message),
    keyIsWrong: details.some(({ reason }) => reason === 'API_KEY_INVALID' || reason === 'API_KEY_EXPIRED'),
    isSpent: error?.code === 'insufficient_quota' || details.some(isQuotaOfTheDay),
    retryAfterMs: retryAfterMs(delay, Date.now()),
  };
}

/** Google at times wraps the answer into a list. */
const holderOf = (body: Json | undefined): JsonObject | undefined => objectOf(listOf(body)[0] ?? body);

const isQuotaOfTheDay = ({ violations }: JsonObject) =>
  listOf(violations).some((violation) => textOf(objectOf(violation)?.quotaId)?.includes('PerDay'));
