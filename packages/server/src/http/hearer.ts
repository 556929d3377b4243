import type { PersonBuffers } from './buffers.js';
import { type EventStream, frameOf } from './event-stream.js';

/** Something to be told. `id`: cursor for resuming its source; left out for what is of use only now. */
export type Told = { readonly event: string; readonly json: string; readonly id?: string };

/** Who follows one source of events. */
export type Hearer = {
  /** Aborted when nobody listens any more. */
  readonly over: AbortSignal;
  /** What may be held for the person that listens. */
  readonly buffers: PersonBuffers;
  /** Resolves when there is room for more, or nobody to take it. */
  readonly send: (told: Iterable<Told>) => Promise<void>;
  /** For what is of use only now. False if the client is behind, and it was not sent. */
  readonly offer: (told: Told) => boolean;
};

/** The source and the client alone with each other, unless `frame` says otherwise. */
export const hearerOn = (
  stream: EventStream,
  frame = ({ event, json, id }: Told): string => frameOf(event, json, id),
): Hearer => ({
  over: stream.over,
  buffers: stream.buffers,
  send: (told) => stream.send(framesOf(told, frame)),
  // An id would say that everything before had been heard, too; what is offered has none.
  offer: (told) => stream.offer(frame(told)),
});

/** Made when they are sent: a frame may say how far the client has got in every source of the stream. */
function* framesOf(told: Iterable<Told>, frame: (told: Told) => string): Generator<string> {
  for (const each of told) yield frame(each);
}
