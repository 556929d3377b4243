import { type EventStream, frameOf } from './event-stream.js';

/** Something to be told. `id`: how far who has heard it got with its source; left out for what is of use only now. */
export type Told = { readonly event: string; readonly json: string; readonly id?: string };

/** Who follows one source of events. */
export type Hearer = {
  /** Aborted when nobody listens any more. */
  readonly over: AbortSignal;
  /** Resolves when there is room for more, or nobody to take it. */
  readonly send: (told: readonly Told[]) => Promise<void>;
  /** For what is of use only now. False if the client is behind, and it was not sent. */
  readonly offer: (told: Told) => boolean;
};

/** A client that takes nothing else need not wait long for the first of many. */
const FRAMES_PER_WRITE = 64;

/** The source and the client alone with each other, unless `frame` says otherwise. */
export const hearerOn = (
  stream: EventStream,
  frame = ({ event, json, id }: Told): string => frameOf(event, json, id),
): Hearer => ({
  over: stream.over,
  send: async (told) => {
    for (let from = 0; from < told.length; from += FRAMES_PER_WRITE)
      await stream.send(
        told
          .slice(from, from + FRAMES_PER_WRITE)
          .map(frame)
          .join(''),
      );
  },
  // An id would say that everything before had been heard, too; what is offered has none.
  offer: (told) => stream.offer(frame(told)),
});
