import { Agent, request } from 'node:http';
import { type ProxyRoute, proxyRoute } from '@countersign/host';

export type Transport = {
  readonly request: typeof request;
  readonly agent: Agent;
  /** Null if the request is sent directly. */
  readonly route: ProxyRoute | null;
};

/** Connections stay open between the requests of a conversation: TLS alone costs several round trips. */
const plain: Transport = { request, agent: new Agent({ keepAlive: true }), route: null };
let secure: Transport | null = null;

/** Through the proxy that the environment names for this URL. Throws `ProxyError` if its value cannot be used. */
export async function transportFor(url: URL): Promise<Transport> {
  const direct = await directTransport(url);
  const route = await proxyRoute(url, 'kept');
  return route === null ? direct : { request: direct.request, agent: route.options.agent, route };
}

/** TLS takes milliseconds to load, and a local model does without. */
async function directTransport(url: URL): Promise<Transport> {
  if (url.protocol !== 'https:') return plain;
  const https = await import('node:https');
  secure ??= { request: https.request, agent: new https.Agent({ keepAlive: true }), route: null };
  return secure;
}
