import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { HostEnvironment } from '@countersign/host';
import {
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client';
import type { ServerTarget } from '../settings/server-settings.js';
import { inOneLine, wordsOf } from '../text/in-words.js';
import { boundedFetch } from '../transports/bounded-fetch.js';
import { HttpTransport } from '../transports/http-transport.js';
import { StdioTransport } from '../transports/stdio-transport.js';
import type { McpLimits } from './limits.js';

export type ConnectionOptions = {
  readonly target: ServerTarget;
  readonly workspace: string;
  readonly env: HostEnvironment;
  readonly limits: McpLimits;
  /** Of this program, for the server's records. */
  readonly version: string;
  /** The connection was lost without being closed from here. `why` continues after "it". */
  readonly onLost: (why: string) => void;
  readonly onChanged: (list: ChangedList) => void;
  readonly onLog: (line: string) => void;
  /** `withdrawn`: the server no longer wants the answer. */
  readonly elicit: (params: ElicitRequestParams, withdrawn: AbortSignal) => Promise<ElicitResult>;
  /** Closes it. */
  readonly signal: AbortSignal;
};
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** A server that has answered the handshake. */
export class Connection {
  readonly client: Client;
  readonly transport: Transport;

  private constructor(client: Client, transport: Transport) {
    this.client = client;
    this.transport = transport;
  }

  /** Throws an error whose message says, after "it", why there is none. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { target, limits, signal, onLost } = options;
    if (target.transport !== 'detect') return connect(transportTo(target, target.transport, options));
    try {
      return await connect(transportTo(target, 'http', options));
    } catch (error) {
      // An older server knows no POST at this address. To one that refuses us, SSE is no way round.
      const cause = error instanceof Error ? error.cause : null;
      const status = cause instanceof SdkHttpError ? cause.status : undefined;
      if (status === undefined || status < 400 || status >= 500 || status === 401 || status === 403)
        throw error;
      return connect(transportTo(target, 'sse', options));
    }

    async function connect(transport: Transport): Promise<Connection> {
      const client = clientFor(options);
      const { handshakeMs } = limits;
      try {
        await inTime(client.connect(transport, { timeout: handshakeMs }), handshakeMs, signal);
      } catch (error) {
        const why = whyNot(error, transport, limits);
        await transport.close().catch(() => undefined);
        throw new Error(why, { cause: error });
      }
      const connection = new Connection(client, transport);
      connection.#watch(onLost);
      return connection;
    }
  }

  get stderr(): string {
    return this.transport instanceof StdioTransport ? this.transport.stderr : '';
  }

  /** Lines on its output that are no message. */
  get strayLines(): number {
    return this.transport instanceof StdioTransport ? this.transport.strayLines : 0;
  }

  /** Until its channel for its own messages is open; null if it is. */
  channelReady(cancelled: AbortSignal): Promise<void> | null {
    return this.transport instanceof HttpTransport ? this.transport.channelReady(cancelled) : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.transport instanceof HttpTransport) {
      const goodbye = this.transport.terminateSession().catch(() => undefined);
      await Promise.race([goodbye, delay(GOODBYE_MS, undefined, { ref: false })]);
    }
    await this.transport.close();
  }
  #isClosed = false;

  #watch(onLost: (why: string) => void): void {
    const lost = (why: string) => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      onLost(why);
    };
    this.client.onclose = () => lost(endOf(this.transport) ?? 'closed the connection');
    this.client.onerror = (error) => {
      // The event source would connect again by itself, to a server that then knows nothing of this session.
      if (!(this.transport instanceof SSEClientTransport) || !(error instanceof SseError)) return;
      lost(`lost the connection: ${wordsOf(error)}`);
      void this.transport.close();
    };
  }
}

const GOODBYE_MS = 1_000; // a server that misses it notices the closed connection

function clientFor({ version, workspace, elicit, onChanged, onLog }: ConnectionOptions): Client {
  const client = new Client(
    { name: 'countersign', version },
    { capabilities: { roots: {}, elicitation: { form: { applyDefaults: true } } } },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: pathToFileURL(workspace).href, name: basename(workspace) }],
  }));
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicit(params, mcpReq.signal));
  client.setNotificationHandler('notifications/tools/list_changed', () => onChanged('tools'));
  client.setNotificationHandler('notifications/resources/list_changed', () => onChanged('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => onChanged('prompts'));
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const words = typeof data === 'string' ? data : JSON.stringify(data);
    onLog(inOneLine(`${level}${logger === undefined ? '' : ` ${logger}`}: ${words}`));
  });
  return client;
}

function transportTo(
  target: ServerTarget,
  way: 'stdio' | 'http' | 'sse',
  { workspace, env, limits: { messageBytesMax } }: ConnectionOptions,
): Transport {
  if (target.transport === 'stdio')
    return new StdioTransport(
      { ...target, directory: resolve(workspace, target.cwd ?? '.') },
      env,
      messageBytesMax,
    );
  const { url, headers } = target;
  if (way === 'http') return new HttpTransport({ url, headers, messageBytesMax });
  return new SSEClientTransport(url, { requestInit: { headers }, fetch: boundedFetch(messageBytesMax) });
}

/** Also the transport may take forever to start. */
async function inTime(connecting: Promise<void>, limitMs: number, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: AbortSignal.any([timer.signal, signal]) }).then(() => {
    throw new Error(`did not respond within ${limitMs} ms`);
  });
  // Only the first of them counts.
  connecting.catch(() => undefined);
  late.catch(() => undefined);
  try {
    await Promise.race([connecting, late]);
  } finally {
    timer.abort();
  }
}

function whyNot(error: unknown, transport: Transport, { handshakeMs }: McpLimits): string {
  const said = transport instanceof StdioTransport ? lastLines(transport.stderr) : '';
  const spoken = said === '' ? '' : `. It printed: ${said}`;
  return `${endOf(transport) ?? reasonOf(error, handshakeMs)}${spoken}`;
}

const endOf = (transport: Transport): string | null =>
  transport instanceof StdioTransport ? transport.ended : null;

function reasonOf(error: unknown, handshakeMs: number): string {
  if (error instanceof SdkHttpError)
    return error.status === 401 || error.status === 403
      ? `refused access with status ${error.status}; add its credentials to "headers"`
      : `responded with status ${error.status}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = wordsOf(cause);
  if (/timed out/i.test(words)) return `did not respond within ${handshakeMs} ms`;
  return words.startsWith('did not respond') ? words : `could not be connected to: ${words}`;
}

const LINES_SHOWN = 5;

const lastLines = (stderr: string): string =>
  inOneLine(stderr.trimEnd().split('\n').slice(-LINES_SHOWN).join(' | '));
