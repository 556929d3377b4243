import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Place } from '../../cli/program.js';
import { listening } from '../served.js';

/** Our server with the tools that the suite asks for, at an address that needs no token. */
export async function serveForSuite(place: Place): Promise<string> {
  const { url, token } = await listening(
    place,
    '--tools',
    fileURLToPath(new URL('tools.mjs', import.meta.url)),
  );
  return withToken(url, token);
}

/**
 * The suite can show no token: this adds it, and passes on everything else unchanged, the host and origin that are under
 * test included.
 */
async function withToken(target: URL, token: string): Promise<string> {
  let port = 0;
  const server = createServer((incoming, response) => pass(incoming, response, { target, token, port }));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}${target.pathname}`;
}

function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, token, port }: { readonly target: URL; readonly token: string; readonly port: number },
): void {
  const here = new RegExp(`^((?:http://)?(?:127\\.0\\.0\\.1|localhost)):${port}$`);
  const renamed = (name: string | undefined) => name?.replace(here, `$1:${target.port}`);
  const { method, url: path, headers } = incoming;
  const outgoing = forward({
    ...{ host: target.hostname, port: target.port, method, path },
    headers: {
      ...headers,
      host: renamed(headers.host),
      authorization: `Bearer ${token}`,
      ...(headers.origin !== undefined && { origin: renamed(headers.origin) }),
    },
  });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
