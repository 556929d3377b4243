import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { JsonObject } from '@countersign/protocol';
import { objectOf, parseJson } from '../http/read-json.js';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Null for a request without a body. */
  readonly body: JsonObject | null;
};

/** How one request is answered. What is thrown breaks the connection off. */
export type Reply = (response: ServerResponse, received: Received) => void | Promise<void>;

/** A real HTTP server on the loopback that answers each request with the next reply, and the last forever after. */
export class WireServer {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  readonly #server: Server;

  private constructor(replies: readonly Reply[]) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response, replies).catch(() => request.socket.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(...replies: readonly Reply[]): Promise<WireServer> {
    const server = new WireServer(replies);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const address: string | AddressInfo | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Whether all connections were closed by the other side, within the time. */
  async isDeserted(withinMs = 2_000): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (this.sockets.size > 0 && performance.now() < until)
      await new Promise((next) => setTimeout(next, 5));
    return this.sockets.size === 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    replies: readonly Reply[],
  ): Promise<void> {
    const text = await textOf(request);
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: objectOf(parseJson(text)) ?? null };
    this.received.push(received);
    const reply = replies[Math.min(this.received.length, replies.length) - 1];
    if (reply === undefined) throw new Error('no reply was given');
    await reply(response, received);
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

export const asEvents = (chunks: readonly JsonObject[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');

/** A whole stream, in pieces of so many bytes, each a write of its own. */
export const streams =
  (text: string, pieceBytes = 65_536): Reply =>
  async (response) => {
    response.writeHead(200, EVENT_STREAM);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await write(response, bytes.subarray(at, at + pieceBytes));
    response.end();
  };

/** The beginning of a stream, and then the connection breaks. */
export const breaksAfter =
  (text: string): Reply =>
  async (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    if (text !== '') await write(response, Buffer.from(text));
    throw new Error('cut');
  };

/** The beginning of a stream, and then nothing more. */
export const stallsAfter =
  (text: string): Reply =>
  async (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    if (text !== '') await write(response, Buffer.from(text));
  };

export const answers =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

/** One tick later each, so that the pieces do not travel as one. */
async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => response.write(bytes, () => setImmediate(resolve)));
}
