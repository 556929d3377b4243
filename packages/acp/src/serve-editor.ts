import { isAbsolute } from 'node:path';
import {
  type AgentConnection,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  MessageTooLargeError,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk';
import { badRequest, requestFailure } from './content/request-failure.js';
import { Editor } from './editor.js';
import { EditorSession, type History } from './editor-session.js';
import type { Host, OpenRequest } from './host.js';
import { pageOf } from './session-list.js';

/** Serves an editor until it closes the connection, then leaves all sessions. */
export async function serveEditor(host: Host, stream: Stream, closing: AbortSignal): Promise<void> {
  const { session } = methods.agent;
  // A prompt before a cancellation: what arrives together is looked at in the order in which it is registered here.
  const connection = agent({ name: 'countersign' })
    .onRequest(methods.agent.initialize, ({ params }) => sessions.initialize(params.clientCapabilities ?? {}))
    .onRequest(methods.agent.authenticate, () => sessions.authenticate())
    .onRequest(session.new, ({ params }) => sessions.create(params))
    .onRequest(session.load, ({ params }) => sessions.resume(params, 'replayed'))
    .onRequest(session.resume, ({ params }) => sessions.resume(params, 'omitted'))
    .onRequest(session.list, ({ params }) => sessions.list(params.cwd ?? null, params.cursor ?? null))
    .onRequest(session.prompt, ({ params, signal }) => sessions.prompt(params, signal))
    .onNotification(session.cancel, ({ params }) => sessions.find(params.sessionId).cancel())
    .onRequest(session.setMode, ({ params }) => sessions.find(params.sessionId).setMode(params.modeId))
    .onRequest(session.close, ({ params }) => sessions.leave(params.sessionId))
    .connect(stream);
  const sessions = new EditorSessions(host, connection);
  const close = () => connection.close();
  if (closing.aborted) close();
  closing.addEventListener('abort', close);
  await connection.closed;
  closing.removeEventListener('abort', close);
  const reason: unknown = connection.signal.reason;
  if (reason instanceof MessageTooLargeError) host.say(reason.message);
  await sessions.close();
}

type SessionParams = {
  readonly cwd: string;
  readonly mcpServers?: OpenRequest['mcpServers'];
  readonly additionalDirectories?: readonly string[];
};
type Prompt = Parameters<EditorSession['prompt']>[0];

/** All sessions of one editor. */
class EditorSessions {
  readonly #host: Host;
  readonly #sessions = new Map<string, EditorSession>();
  readonly #opening = new Set<Promise<unknown>>();
  readonly #connection: AgentConnection;
  #can: ClientCapabilities = {};
  #isClosed = false;

  constructor(host: Host, connection: AgentConnection) {
    this.#host = host;
    this.#connection = connection;
  }

  /** There is one version: a client that requests another gets this one, and decides. */
  initialize(can: ClientCapabilities): InitializeResponse {
    this.#can = can;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'countersign', title: 'Countersign', version: this.#host.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [
        {
          id: 'environment',
          name: 'A key in the environment',
          description:
            'Set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY where the editor is started, or run Ollama.',
        },
      ],
    };
  }

  /** There is nothing to log in to: the request succeeds once a model can be reached, and else names what is missing. */
  async authenticate(): Promise<void> {
    const problem = await this.#host.modelProblem();
    if (problem) throw requestFailure(problem);
  }

  async create(params: SessionParams) {
    const { sessionId, session } = await this.#open(params, null, 'omitted');
    return { sessionId, modes: session.modes };
  }

  async resume(params: SessionParams & { readonly sessionId: string }, past: History) {
    const known = this.#sessions.get(params.sessionId);
    // The editor has lost the session, as after a reload of its window; the session itself continues.
    if (known) await known.catchUp(past);
    const { session } = known ? { session: known } : await this.#open(params, params.sessionId, past);
    return { modes: session.modes };
  }

  async list(cwd: string | null, cursor: string | null) {
    return pageOf(await this.#host.list(cwd), cursor);
  }

  async prompt(params: { readonly sessionId: string; readonly prompt: Prompt }, signal: AbortSignal) {
    const session = this.find(params.sessionId);
    const cancel = () => {
      // An editor that goes away does not cancel: questions then stay open.
      if (signal.reason instanceof RequestError) session.cancel();
    };
    signal.addEventListener('abort', cancel);
    try {
      return await session.prompt(params.prompt);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  find(sessionId: string): EditorSession {
    const session = this.#sessions.get(sessionId);
    if (!session) throw requestFailure({ code: 'unknown_session', sessionId });
    return session;
  }

  /** As the protocol has it: what is under way is cancelled first. */
  async leave(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.#sessions.delete(sessionId);
    await session.close('cancelled');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening);
    await Promise.all([...this.#sessions.values()].map((session) => session.close('left')));
  }

  #open(params: SessionParams, sessionId: string | null, past: History) {
    const opening = this.#opened(params, sessionId, past);
    this.#opening.add(opening);
    void Promise.allSettled([opening]).then(() => this.#opening.delete(opening));
    return opening;
  }

  async #opened(params: SessionParams, known: string | null, past: History) {
    const { cwd, mcpServers = [], additionalDirectories = [] } = params;
    if (!isAbsolute(cwd)) throw badRequest(`"cwd" must be an absolute path, not "${cwd}"`);
    if (additionalDirectories.length > 0)
      throw badRequest('"additionalDirectories" are not supported, as the response to initialize states');
    const opened = await this.#host.open({ cwd, sessionId: known, mcpServers });
    if (!opened.ok) throw requestFailure(opened.failure);
    const { sessionId } = opened.live.session;
    const editor = new Editor(this.#connection, this.#can, sessionId);
    const session = new EditorSession(opened, editor, this.#host.say);
    this.#sessions.set(sessionId, session);
    if (!this.#isClosed) await session.catchUp(past);
    return { sessionId, session };
  }
}
