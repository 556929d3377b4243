import { createParser } from 'eventsource-parser';
import { ModelError } from '../provider.js';
import { failureInStream } from './answer-failure.js';
import type { HttpCall, Source } from './call.js';
import { exchange } from './exchange.js';
import { oneLine } from './one-line.js';
import { parseJson } from './read-json.js';

export type ServerEvent = { readonly event: string | null; readonly data: string };

/** One event may hold images in base64; more than this is no event any more. */
const EVENT_CHARS_MAX = 64 * 1024 * 1024;
/** What is no event is kept only to say what it was. */
const STRAY_CHARS_MAX = 16 * 1024;

/**
 * The server-sent events of an answer, as they arrive. A stream without any event is a failure, and so is an error in
 * plain JSON, which proxies and Google's front end write where an event should be. Whether the last event was the end
 * is for the wire to say.
 */
export async function* postForEvents(call: HttpCall, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const stream = new EventStream();
  for await (const bytes of exchange(call, signal)) {
    for (const event of stream.feed(bytes)) {
      yield event;
      // One piece of the answer may hold many events, and the reader may have had enough after the first.
      signal.throwIfAborted();
    }
    if (stream.isTooLong) throw nonsense(call, 'one event is too long', stream.stray);
  }
  yield* stream.end();
  const failure = failureInStream(call, parseJson(stream.stray));
  if (failure) throw new ModelError(failure);
  if (stream.count === 0) throw withoutEvents(call, stream.stray);
}

class EventStream {
  count = 0;
  stray = '';
  isTooLong = false;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent: ({ event, data }) => {
      this.#ready.push({ event: event ?? null, data });
    },
    onError: ({ type, line }) => {
      if (type === 'max-buffer-size-exceeded') this.isTooLong = true;
      else if (this.stray.length < STRAY_CHARS_MAX) this.stray += `${line ?? ''}\n`;
    },
  });
  #ready: ServerEvent[] = [];

  feed(bytes: Uint8Array): readonly ServerEvent[] {
    return this.#parse(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Servers that end with their last event often omit the blank line after it. */
  end(): readonly ServerEvent[] {
    return this.#parse(`${this.#decoder.decode()}\n\n`);
  }

  #parse(text: string): readonly ServerEvent[] {
    this.#parser.feed(text);
    const ready = this.#ready;
    this.#ready = [];
    this.count += ready.length;
    return ready;
  }
}

function withoutEvents(call: HttpCall, stray: string): ModelError {
  if (stray !== '') return nonsense(call, 'the response is not an event stream', stray);
  return new ModelError({ code: 'model_cut_off', provider: call.provider, problem: 'it was empty' });
}

/** Something in the answer that is not in the format of the wire. */
export function nonsense({ provider, credential }: Source, problem: string, text: string): ModelError {
  return new ModelError({ code: 'model_nonsense', provider, problem, excerpt: oneLine(text, credential) });
}
