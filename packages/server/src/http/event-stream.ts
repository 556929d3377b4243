import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { PersonBuffers } from './buffers.js';

export type StreamLimits = { readonly heartbeatMs: number; readonly slowClientMs: number };

/** Delay after which a browser reconnects. */
const RETRY_MS = 1_000;
/** Handed to the connection at once. It keeps a copy of its own until the client has taken it. */
const CHARS_PER_WRITE = 64 * 1024;

/**
 * The event stream of one client. Nothing is queued here: the sender waits until the client has read what came before,
 * and a client that reads nothing for too long is disconnected. It resumes after the last fact that it received.
 */
export class EventStream {
  readonly buffers: PersonBuffers;
  readonly #response: ServerResponse;
  readonly #slowClientMs: number;
  readonly #over = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #slow: NodeJS.Timeout | null = null;
  #hasRoom: (() => void) | null = null;
  /** A stream may carry several sources, and what one sends in several writes is not mixed with what another sends. */
  #turn: Promise<void> = Promise.resolve();
  /** Sends that are under way or wait for their turn. */
  #sending = 0;

  constructor(response: ServerResponse, { heartbeatMs, slowClientMs }: StreamLimits, buffers: PersonBuffers) {
    this.buffers = buffers;
    this.#response = response;
    this.#slowClientMs = slowClientMs;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    // Every source that the stream carries listens for its end.
    setMaxListeners(0, this.#over.signal);
    response.on('drain', () => this.#drained());
    response.on('close', () => {
      this.#drained();
      clearInterval(this.#heartbeat);
      this.#over.abort();
    });
    this.#heartbeat = setInterval(() => this.offer(':\n\n'), heartbeatMs);
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Aborted when the stream has ended, or its client has disconnected. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Frames are made when it is their turn. Resolves when there is room for more, or the client has disconnected. */
  send(frames: Iterable<string>): Promise<void> {
    // At once where nothing is under way, so that what is offered right behind it finds the stream free again.
    const isFree = this.#sending === 0;
    this.#sending++;
    const sent = isFree ? this.#sendAll(frames) : this.#turn.then(() => this.#sendAll(frames));
    this.#turn = sent.catch(() => {});
    return sent;
  }

  /** For live output. False if the client is behind, and it was not sent. */
  offer(frames: string): boolean {
    if (this.over.aborted || this.#sending > 0 || this.#response.writableNeedDrain) return false;
    this.#write(frames);
    return true;
  }

  end(): void {
    this.#over.abort();
    this.#response.end();
    // The server does not wait for a client that does not read the end.
    this.#response.socket?.destroySoon();
  }

  async #sendAll(frames: Iterable<string>): Promise<void> {
    try {
      for (const piece of inPieces(frames)) {
        if (this.over.aborted) return;
        if (!this.#write(piece)) await this.#untilRoom();
      }
    } finally {
      this.#sending--;
    }
  }

  #write(frames: string | Buffer): boolean {
    if (this.#response.write(frames)) return true;
    this.#slow ??= setTimeout(() => this.#response.destroy(), this.#slowClientMs);
    return false;
  }

  #drained(): void {
    if (this.#slow) clearTimeout(this.#slow);
    this.#slow = null;
    this.#hasRoom?.();
    this.#hasRoom = null;
  }

  #untilRoom(): Promise<void> {
    if (this.#response.destroyed || !this.#response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#hasRoom = resolve;
    });
  }
}

/**
 * Short frames together, long ones in several pieces: each write is about as large. As bytes, since a part of a string
 * keeps the whole string in memory for as long as the connection holds it.
 */
export function* inPieces(frames: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const frame of frames) {
    if (piece !== '' && piece.length + frame.length > CHARS_PER_WRITE) {
      yield Buffer.from(piece);
      piece = '';
    }
    if (frame.length <= CHARS_PER_WRITE) piece += frame;
    else
      for (let from = 0; from < frame.length; ) {
        // A pair of surrogates is one character, and must not be written as two halves.
        const end = from + CHARS_PER_WRITE;
        const to = isHighSurrogate(frame.charCodeAt(end - 1)) ? end + 1 : end;
        yield Buffer.from(frame.slice(from, to));
        from = to;
      }
  }
  if (piece !== '') yield Buffer.from(piece);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** One event as it goes over the wire. JSON holds no line break, so one line of data is enough. */
export const frameOf = (event: string, json: string, id?: string | number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

/** The same value is sent to many clients: it is serialised once, and released with the value. */
const serialised = new WeakMap<object, string>();

export function jsonOf(value: object): string {
  const known = serialised.get(value);
  if (known !== undefined) return known;
  const json = JSON.stringify(value);
  serialised.set(value, json);
  return json;
}
