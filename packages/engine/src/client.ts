import type { Ack, Command, Event, Live } from '@countersign/protocol';

/** What a subscriber gets: facts in order, and between them what is only shown while it happens. */
export type Delivery = { readonly seq: number; readonly event: Event } | { readonly live: Live };

/**
 * The two verbs of every front end. Two adapters, one contract test: the
 * session in this process, and one that another process works on.
 */
export interface SessionClient {
  readonly sessionId: string;
  /** Facts from `fromSeq` on: first those already there, then new ones as they come, with no gap. Ends with the signal. */
  events(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]>;
  /** With a signal: once it fires, a command that nothing has come of yet is taken back; of one that was carried out, that is told. */
  send(command: Command, signal?: AbortSignal): Promise<Ack>;
}
