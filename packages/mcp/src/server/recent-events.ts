import type { EventStore } from '@modelcontextprotocol/server';

type JSONRPCMessage = Parameters<EventStore['storeEvent']>[1];
type Sent = {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
};

const EVENTS_MAX = 1_000;
const BYTES_MAX = 4_000_000; // of one client; all of them together are some hundred megabytes at the very most

/**
 * What a client was last sent, for one that lost its connection and comes back with the id of the last event that it
 * has seen. The oldest are forgotten first: those are notes on progress, never the answer that a stream ends with.
 */
export class RecentEvents implements EventStore {
  #sent: Sent[] = [];
  #bytes = 0;
  #number = 0;

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#number += 1;
    const bytes = Buffer.byteLength(JSON.stringify(message));
    this.#sent.push({ number: this.#number, streamId, message, bytes });
    this.#bytes += bytes;
    while (this.#sent.length > 1 && (this.#sent.length > EVENTS_MAX || this.#bytes > BYTES_MAX))
      this.#bytes -= this.#sent.shift()?.bytes ?? 0;
    return Promise.resolve(`${streamId}/${this.#number}`);
  }

  /** Nothing, if nothing of that stream is known any more. */
  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    const { streamId } = placeOf(eventId);
    return Promise.resolve(this.#sent.find((sent) => sent.streamId === streamId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: Parameters<EventStore['replayEventsAfter']>[1],
  ): Promise<string> {
    const { streamId, number } = placeOf(lastEventId);
    for (const sent of this.#sent)
      if (sent.streamId === streamId && sent.number > number && !isOpening(sent.message))
        await send(`${streamId}/${sent.number}`, sent.message);
    return streamId;
  }
}

/** A stream is opened with an event that only has an id. */
const isOpening = (message: JSONRPCMessage): boolean => Object.keys(message).length === 0;

function placeOf(eventId: string): { readonly streamId: string; readonly number: number } {
  const slash = eventId.lastIndexOf('/');
  return { streamId: eventId.slice(0, slash), number: Number(eventId.slice(slash + 1)) };
}
