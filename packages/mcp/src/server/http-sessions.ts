import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { boundedBody } from './bounded-body.js';
import { governedServer } from './governed-server.js';
import { type GovernedSession, LazySession } from './governed-session.js';
import { RecentEvents } from './recent-events.js';

export type HttpSessionsOptions = {
  readonly version: string;
  /** A session of its own for each client. */
  readonly open: () => Promise<GovernedSession>;
};

const SESSIONS_MAX = 64; // each has a journal, tools and perhaps servers of its own
const IDLE_MS = 30 * 60_000; // as for sessions of `countersign serve`
const LOOK_EVERY_MS = 60_000;
const BODY_BYTES_MAX = 10_000_000; // a whole file, and room around it
const KEEP_ALIVE_MS = 15_000;
const COME_BACK_MS = 1_000; // what a client that lost its connection waits before the first try
const SESSION_HEADER = 'mcp-session-id';

type Held = {
  /** The token that it was opened with: requests with another token cannot use it. */
  readonly who: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly session: LazySession;
  /** Answers that are still being given, streams among them. */
  busy: number;
  usedAt: number;
};

/** Clients over streamable HTTP, each with a session of its own. */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  readonly #held = new Map<string, Held>();
  readonly #looking: NodeJS.Timeout;
  /** Clients that have not received their session id yet. */
  #beginning = 0;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#looking = setInterval(() => this.#leaveIdle(), LOOK_EVERY_MS);
    // Clients keep the program alive by their connections, not by this.
    this.#looking.unref();
  }

  /** `who`: unique for each token. */
  async handle(request: Request, who: string): Promise<Response> {
    const id = request.headers.get(SESSION_HEADER);
    const held = id === null ? null : this.#held.get(id);
    // The same response for an unknown id and for another client's. The protocol has clients begin again after this.
    if (id !== null && held?.who !== who) return problem(404, 'There is no such session, or it has ended.');
    if (held) return this.#handled(held, request);
    if (this.#held.size + this.#beginning >= SESSIONS_MAX)
      return problem(503, `There are ${SESSIONS_MAX} clients already. Close one, or try again later.`);
    this.#beginning++;
    try {
      return await this.#begin(request, who);
    } finally {
      this.#beginning--;
    }
  }

  /** Ends the sessions of a token that was revoked, and cancels their running calls. */
  async endOf(who: string): Promise<void> {
    const theirs = [...this.#held].filter(([, held]) => held.who === who);
    await Promise.all(theirs.map(([id]) => this.#leave(id)));
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all([...this.#held.keys()].map((id) => this.#leave(id)));
  }

  async #begin(request: Request, who: string): Promise<Response> {
    let begun: Held | null = null;
    const session = new LazySession(this.#options.open);
    const server = governedServer(session.get, this.#options.version);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: BODY_BYTES_MAX,
      keepAliveMs: KEEP_ALIVE_MS,
      eventStore: new RecentEvents(),
      retryInterval: COME_BACK_MS,
      onsessioninitialized: (id) => {
        begun = { who, transport, server, session, busy: 1, usedAt: Date.now() };
        this.#held.set(id, begun);
      },
      onsessionclosed: (id) => this.#leave(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (begun === null) await server.close();
    return begun === null ? response : this.#untilRead(begun, response);
  }

  async #handled(held: Held, request: Request): Promise<Response> {
    held.busy++;
    held.usedAt = Date.now();
    return this.#untilRead(held, await held.transport.handleRequest(request));
  }

  /** A session is in use as long as an answer is being read. */
  #untilRead(held: Held, response: Response): Response {
    const ended = () => {
      held.busy--;
      held.usedAt = Date.now();
    };
    if (response.body) return new Response(boundedBody(response.body, ended), response);
    ended();
    return response;
  }

  #leaveIdle(): void {
    const before = Date.now() - IDLE_MS;
    for (const [id, { busy, usedAt }] of this.#held) if (busy === 0 && usedAt < before) void this.#leave(id);
  }

  async #leave(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (!held) return;
    await held.server.close();
    await held.session.leave();
  }
}

const problem = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status });
