import type { Agent } from 'node:http';
import type { HostEnvironment } from '../processes/environment.js';
import { type ForwardProxy, type ProxyError, proxyFor } from './forward-proxy.js';

/** How to send a request through a proxy. */
export type ProxyRoute = {
  readonly proxy: ForwardProxy;
  /** For `request` of node:http or node:https, beside the URL. The socket that it then emits is connected already. */
  readonly options: ProxyOptions;
  /** The error if the proxy answered this itself instead of passing the request on. */
  readonly refusal: (status: number | undefined) => ProxyError | null;
};

export type ProxyOptions = {
  readonly agent: Agent;
  readonly path?: string;
  readonly headers: { readonly [name: string]: string };
};

/**
 * `kept`: connections stay open for later requests. `single`: a connection of its own, and a valid certificate, whatever the
 * environment says.
 */
export type Connections = 'kept' | 'single';

/** The route through the proxy that the environment names; null if the request is sent directly. Throws `ProxyError`. */
export async function proxyRoute(
  url: URL,
  connections: Connections,
  env: HostEnvironment = process.env,
): Promise<ProxyRoute | null> {
  const proxy = proxyFor(url, env);
  if (proxy === null) return null;
  const { ForwardingAgent, TunnelAgent, refusedBy } = await import('./proxy-agents.js');
  const isTunnel = url.protocol === 'https:';
  const made = (): Agent =>
    isTunnel
      ? new TunnelAgent(proxy, connections === 'kept' ? KEPT : SINGLE)
      : new ForwardingAgent(proxy, connections === 'kept' ? KEPT : { keepAlive: false });
  const agent = connections === 'kept' ? keptAgent(`${isTunnel} ${JSON.stringify(proxy)}`, made) : made();
  if (isTunnel) return { proxy, options: { agent, headers: {} }, refusal: () => null };
  return {
    proxy,
    options: { agent, path: `${url.origin}${url.pathname}${url.search}`, headers: authorizationOf(proxy) },
    refusal: (status) => (status === 407 ? refusedBy(proxy, status, url.host) : null),
  };
}

const KEPT = { keepAlive: true };
const SINGLE = { keepAlive: false, rejectUnauthorized: true };

const authorizationOf = ({ authorization }: ForwardProxy): { readonly [name: string]: string } =>
  authorization === null ? {} : { 'proxy-authorization': authorization };

const agents = new Map<string, Agent>();

/** One for each proxy and kind of URL, of which an environment names few. */
function keptAgent(key: string, made: () => Agent): Agent {
  const agent = agents.get(key) ?? made();
  agents.set(key, agent);
  return agent;
}
