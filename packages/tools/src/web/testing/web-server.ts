import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

export type WebServer = {
  /** `127.0.0.1:41234` */
  readonly host: string;
  readonly url: (path: string) => string;
  /** The paths that were asked for. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
};

export type Certificate = { readonly key: string; readonly cert: string };

/** A real server on a port of its own on this machine. */
export async function webServer(listener: RequestListener, certificate?: Certificate): Promise<WebServer> {
  const asked: string[] = [];
  const noting: RequestListener = (request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  };
  const server: Server = certificate ? createSecureServer(certificate, noting) : createServer(noting);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: (path) => `http${certificate ? 's' : ''}://${host}${path}`,
    asked,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
