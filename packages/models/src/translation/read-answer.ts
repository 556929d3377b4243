import type { JsonObject } from '@countersign/protocol';
import { answerFailure } from '../http/answer-failure.js';
import type { HttpCall } from '../http/call.js';
import { nonsense, type ServerEvent } from '../http/events.js';
import { eventsUpTo } from '../http/events-up-to.js';
import { objectOf, parseJson } from '../http/read-json.js';
import { ModelError, type ModelEvent } from '../provider.js';

/** An answer, put together from the pieces that a wire streams it in. */
export type Answer = {
  /** Whether the model has said why it stopped. What follows is bookkeeping. */
  readonly hasEnded: boolean;
  readonly read: (piece: JsonObject) => Iterable<ModelEvent>;
  /** The stream is over: the remaining events, `finished` last. */
  readonly end: () => Iterable<ModelEvent>;
};

export type Wire = {
  /** The mark of the end, which not every server sends. */
  readonly isLast: (event: ServerEvent) => boolean;
  /** An error in mid-stream has no HTTP status: which it would have been, by what the error says of itself. */
  readonly statusOf: (error: JsonObject) => number;
};

export async function* readAnswer(
  call: HttpCall,
  { answer, wire, signal }: { answer: Answer; wire: Wire; signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
  let isMarked = false;
  try {
    for await (const event of eventsUpTo(call, signal, wire.isLast)) {
      isMarked = wire.isLast(event);
      if (isMarked) yield* answer.end();
      else yield* answer.read(pieceOf(event, call, wire));
    }
  } catch (error) {
    const isCut = error instanceof ModelError && error.failure.code === 'model_cut_off';
    if (!isCut || !answer.hasEnded) throw error;
  }
  if (isMarked) return;
  if (!answer.hasEnded) {
    const problem = 'the stream ended without a stop reason';
    throw new ModelError({ code: 'model_cut_off', provider: call.provider, problem });
  }
  yield* answer.end();
}

function pieceOf({ data }: ServerEvent, call: HttpCall, wire: Wire): JsonObject {
  const piece = objectOf(parseJson(data));
  if (!piece) throw nonsense(call, 'a part of the response is not a JSON object', data);
  const isError = (piece.error ?? null) !== null || piece.object === 'error';
  if (!isError) return piece;
  const status = wire.statusOf(objectOf(piece.error) ?? piece);
  throw new ModelError(answerFailure(call, { status, retryAfterMs: null, body: data }));
}
