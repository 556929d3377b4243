import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback, type Scheme } from './addresses.js';
import type { ServerLimits } from './limits.js';

export type Binding = {
  readonly address: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly names: readonly string[];
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** 'open to others': the operator accepts other machines without TLS. */
  readonly exposure: 'this machine' | 'open to others';
};

/** An address that other machines reach: tokens and all content would pass in clear text. */
export class ExposedError extends Error {
  constructor(readonly address: string) {
    super(`${address} is not an address of this machine alone, and there is no TLS`);
  }
}

export const schemeOf = ({ tls }: Binding): Scheme => (tls ? 'https' : 'http');

/** Listens. Refuses an address beyond this machine unless the connection is encrypted, or the operator insists. */
export async function listen(
  binding: Binding,
  limits: ServerLimits,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const { address, tls, exposure } = binding;
  if (!isLoopback(address) && !tls && exposure === 'this machine') throw new ExposedError(address);
  const options = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  };
  const listener: RequestListener = onRequest;
  const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener);
  server.maxConnections = limits.connectionsMax;
  // Node would drop further headers silently; `problemAtDoor` checks their number.
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(binding.port, address, resolve);
  });
  return { server, port: portOf(server.address()) };
}

/** Long enough for a browser to reuse its connection, short enough for a dead one. */
const KEEP_ALIVE_MS = 20_000;
/** How exactly the time limits of requests are kept. */
const CHECK_EVERY_MS = 500;

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('a server listens at no port');
  return address.port;
}

/** Accepts no more requests; those in progress may end within the grace period, then all connections are closed. */
export async function stopListening(
  server: Server,
  graceMs: number,
  underWay: Promise<void> = new Promise(() => {}),
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.race([closed, underWay, sleep(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
