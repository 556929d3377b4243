import {
  type AgentConnection,
  type ClientCapabilities,
  type CreateElicitationResponse,
  methods,
  type PermissionOption,
  type RequestPermissionOutcome,
  type SessionUpdate,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { AskedQuestion } from '@countersign/protocol';
import { formFor } from './calls/question-form.js';

/** The author of messages and answers that come from an editor. */
export const EDITOR = 'editor';

/** The editor at the other end, as one session sees it. */
export class Editor {
  readonly #connection: AgentConnection;
  readonly #can: ClientCapabilities;
  readonly #sessionId: string;

  constructor(connection: AgentConnection, can: ClientCapabilities, sessionId: string) {
    this.#connection = connection;
    this.#can = can;
    this.#sessionId = sessionId;
  }

  get isDisconnected(): boolean {
    return this.#connection.signal.aborted;
  }

  get hasForms(): boolean {
    return Boolean(this.#can.elicitation?.form);
  }

  /** Updates are sent in the order of these calls. One that is sent after the connection closed is dropped. */
  show(update: SessionUpdate): void {
    const sessionId = this.#sessionId;
    this.#connection.client
      .notify(methods.client.session.update, { sessionId, update })
      .catch(() => undefined);
  }

  /** A message of the program, not of the model, for the user. */
  notify(severity: 'info' | 'warning', words: string): void {
    if (this.#can.session?.notices) return this.show({ sessionUpdate: 'notice', severity, title: words });
    const content = { type: 'text', text: `\n\n${words}\n\n` } as const;
    this.show({ sessionUpdate: 'agent_message_chunk', content });
  }

  /** Rejects when the signal withdraws the question, and when the connection ends. */
  async choose(
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal,
  ): Promise<RequestPermissionOutcome> {
    const { outcome } = await this.#connection.client.request(
      methods.client.session.requestPermission,
      { sessionId: this.#sessionId, toolCall, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return outcome;
  }

  fillIn(
    toolCallId: string,
    message: string,
    questions: readonly AskedQuestion[],
    signal: AbortSignal,
  ): Promise<CreateElicitationResponse> {
    const requestedSchema = formFor(questions);
    return this.#connection.client.request(
      methods.client.elicitation.create,
      { mode: 'form', message, sessionId: this.#sessionId, toolCallId, requestedSchema },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
  }
}
