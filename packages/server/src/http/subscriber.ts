import type { PersonBuffers } from './buffers.js';
import { type EventStream, frameOf } from './event-stream.js';

/** An event to send. `id`: cursor for resuming its source; omitted for live output, which is not stored. */
export type OutgoingEvent = { readonly event: string; readonly json: string; readonly id?: string };

/** A client that follows one source of events. */
export type Subscriber = {
  /** Aborted when the client no longer follows. */
  readonly over: AbortSignal;
  /** What may be buffered for the user that follows. */
  readonly buffers: PersonBuffers;
  /** Resolves when there is room for more, or the client has disconnected. */
  readonly send: (events: Iterable<OutgoingEvent>) => Promise<void>;
  /** For live output. False if the client is behind, and the event was not sent. */
  readonly offer: (event: OutgoingEvent) => boolean;
};

/** `frame`: for streams that carry several sources. */
export const subscriberOn = (
  stream: EventStream,
  frame = ({ event, json, id }: OutgoingEvent): string => frameOf(event, json, id),
): Subscriber => ({
  over: stream.over,
  buffers: stream.buffers,
  send: (events) => stream.send(framesOf(events, frame)),
  // Live output has no id: an id confirms that everything before it was received.
  offer: (event) => stream.offer(frame(event)),
});

/** Made when they are sent: a frame may contain the client's cursor in every source of the stream. */
function* framesOf(
  events: Iterable<OutgoingEvent>,
  frame: (event: OutgoingEvent) => string,
): Generator<string> {
  for (const each of events) yield frame(each);
}
