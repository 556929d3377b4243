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
  /** 'open to others': somebody who knows what that means wants it without TLS. */
  readonly exposure: 'this machine' | 'open to others';
};

/** An address at which others would listen along: tokens and all that is shown would pass in clear text. */
export class ExposedError extends Error {
  constructor(readonly address: string) {
    super(`${address} is not an address of this machine alone, and there is no TLS`);
  }
}

export const schemeOf = ({ tls }: Binding): Scheme => (tls ? 'https' : 'http');

/** Listens. Refuses an address beyond this machine unless what passes is encrypted, or somebody insists. */
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
  // Node would leave out what is beyond, unseen; how many there may be is looked at at the door.
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(binding.port, address, resolve);
  });
  return { server, port: portOf(server.address()) };
}

/** A browser comes back within this, and a dead one does not hold its connection for long. */
const KEEP_ALIVE_MS = 20_000;
/** How exactly the time limits of requests are kept. */
const CHECK_EVERY_MS = 500;

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('a server listens at no port');
  return address.port;
}

/** Takes no more; what is under way may end within the grace, then all connections are closed. */
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
