import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createSecureServer, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A real HTTP proxy on the loopback, which is the only one that knows the hosts below `proxied.example`. */
export class TestProxy {
  /** The first line of each request, and its Proxy-Authorization. */
  readonly seen: { readonly line: string; readonly authorization: string | undefined }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `hosts`: the port on this machine for each `host:port`. With `credentials`, others are refused. */
  static async start(
    hosts: { readonly [authority: string]: number },
    credentials?: string,
  ): Promise<TestProxy> {
    const server = createServer();
    const proxy = new TestProxy(server);
    const portFor = (asked: IncomingMessage, authority: string): number => {
      const { 'proxy-authorization': authorization } = asked.headers;
      proxy.seen.push({ line: `${asked.method} ${asked.url}`, authorization });
      if (credentials !== undefined && authorization !== `Basic ${btoa(credentials)}`) return 407;
      return hosts[authority] ?? 502;
    };
    server.on('connect', (asked: IncomingMessage, client: Duplex) => {
      const port = portFor(asked, asked.url ?? '');
      if (port === 407 || port === 502) {
        client.end(`HTTP/1.1 ${port} No\r\n\r\n`);
        return;
      }
      const target = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        join(client, target);
      });
      target.on('error', () => client.destroy());
    });
    server.on('request', (asked, response) => {
      const url = new URL(asked.url ?? '');
      const port = portFor(asked, `${url.hostname}:${url.port || 80}`);
      if (port === 407 || port === 502) {
        response.writeHead(port).end();
        return;
      }
      const { method = 'GET', headers } = asked;
      const path = `${url.pathname}${url.search}`;
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      asked.pipe(sent);
    });
    await listening(server);
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${portOf(this.#server)}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  get lines(): readonly string[] {
    return this.seen.map(({ line }) => line);
  }
}

/** A server that speaks TLS as `*.proxied.example` and passes what it receives on to a port of this machine. */
export async function secured(url: string): Promise<number> {
  const { port } = new URL(url);
  const server = createSecureServer({ key: KEY, cert: CERTIFICATE }, (client: TLSSocket) => {
    join(client, connect(Number(port), '127.0.0.1'));
  });
  await listening(server);
  return portOf(server);
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
}

async function listening(server: Server): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

function portOf(server: Server): number {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}

/** For `proxied.example`, all names directly below it, and 127.0.0.1; made for these tests. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBwzCCAWigAwIBAgIUZC5DH1+j4/f+D44rQuNIuOCUMdkwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPcHJveGllZC5leGFtcGxlMCAXDTI2MTExNjIyMzgyNFoYDzIx
MjUwNjEwMjIzODI0WjAaMRgwFgYDVQQDDA9wcm94aWVkLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATL5H/ImRaoYLb2hPu6P9hK4N9KmO/u583Z6/Bx
xMsVmxQPTG/E1s5BrM5vMecEJdY35lkn7zB/wjdDjWfa3C1to4GJMIGGMB0GA1Ud
DgQWBBQjsYyNf+v8B3K/xOojQMZLs7kwqzAfBgNVHSMEGDAWgBQjsYyNf+v8B3K/
xOojQMZLs7kwqzAPBgNVHRMBAf8EBTADAQH/MDMGA1UdEQQsMCqCD3Byb3hpZWQu
ZXhhbXBsZYIRKi5wcm94aWVkLmV4YW1wbGWHBH8AAAEwCgYIKoZIzj0EAwIDSQAw
RgIhAJDBsPG5oYGR9npYIWBRgWsSxX3qomLjtuz0g2ZhsUOpAiEAl3ApInhYw0Hu
mybOBQJc2QrcT6VrZpb18jAeX9jSn1o=
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZg7Uk6Pmtx5wVdrz
aK/YFivgymDnoMVm12La1S1qlz+hRANCAATL5H/ImRaoYLb2hPu6P9hK4N9KmO/u
583Z6/BxxMsVmxQPTG/E1s5BrM5vMecEJdY35lkn7zB/wjdDjWfa3C1t
-----END PRIVATE KEY-----
`;
