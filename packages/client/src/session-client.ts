import type { Ack, Command, Delivery } from '@countersign/protocol';

/**
 * The two verbs of every front end. Adapters: the session in this process, one that another process owns
 * (`RemoteClient` in packages/attach), and one behind a server. The first two pass one contract test.
 */
export interface SessionClient {
  readonly sessionId: string;
  /** Events from `fromSeq` on: first the recorded ones, then new ones as they come, with no gap. Ends with the signal. */
  events(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]>;
  /** Once the signal fires, a command that was not carried out yet is withdrawn; for one that was, its result is returned. */
  send(command: Command, signal?: AbortSignal): Promise<Ack>;
}
