import type { SessionClient } from '@countersign/client';
import type { Ack, Command, Delivery, Live, SequencedEvent } from '@countersign/protocol';
import type { AgentPort, StreamEvent } from '@countersign/react';
import type { ApiError, Client, SessionMessage } from '@countersign/server/client';
import { Gathering } from './gathering.js';
import { sendCommand } from './send-command.js';
import type { ServerLink } from './server-link.js';

/** A session of the server, as the hooks need it: facts without a gap, across restarts of the server. */
export class RemoteSession implements SessionClient {
  readonly #api: Client;
  readonly #link: ServerLink;
  readonly #onRefused: (error: ApiError) => void;
  readonly #agentListeners = new Set<(event: StreamEvent) => void>();

  constructor(
    api: Client,
    link: ServerLink,
    readonly sessionId: string,
    onRefused: (error: ApiError) => void,
  ) {
    this.#api = api;
    this.#link = link;
    this.#onRefused = onRefused;
  }

  async *events(fromSeq: number, signal: AbortSignal): AsyncGenerator<readonly Delivery[]> {
    const gathering = new Gathering<Delivery>();
    const listener = {
      after: fromSeq === 0 ? null : fromSeq - 1,
      onMessage: (message: SessionMessage) => this.#receive(message, gathering),
      onRefused: this.#onRefused,
    };
    this.#link.followSession(this.sessionId, listener, signal);
    yield* gathering.batches(signal);
  }

  send(command: Command): Promise<Ack> {
    return sendCommand(this.#api, this.sessionId, command);
  }

  /** The model runs in the server, for any client: its output is one endless stream to this page. */
  readonly agent: AgentPort = {
    prompt: () => nothing(),
    goOn: (signal) => this.#agentEvents(signal),
  };

  async *#agentEvents(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const gathering = new Gathering<StreamEvent>();
    const listener = (event: StreamEvent) => gathering.push(event);
    this.#agentListeners.add(listener);
    try {
      for await (const batch of gathering.batches(signal)) yield* batch;
    } finally {
      this.#agentListeners.delete(listener);
    }
  }

  /** The server validates what it sends; the types are restored here. */
  #receive({ event, data }: SessionMessage, gathering: Gathering<Delivery>): void {
    if (event === 'fact') gathering.push(data as SequencedEvent);
    if (event === 'live') gathering.push({ live: data as Live });
    if (event === 'agent') for (const listener of this.#agentListeners) listener(data as StreamEvent);
  }
}

/** Prompts go through `send`: the server passes them to the model, at once or when it is next asked. */
async function* nothing(): AsyncGenerator<StreamEvent> {}
