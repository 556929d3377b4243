import { Agent, request } from 'node:http';

export type Transport = { readonly request: typeof request; readonly agent: Agent };

/** Connections stay open between the requests of a conversation: TLS alone costs several round trips. */
const plain: Transport = { request, agent: new Agent({ keepAlive: true }) };
let secure: Transport | null = null;

/** TLS takes milliseconds to load, and a local model does without. */
export async function transportFor(url: URL): Promise<Transport> {
  if (url.protocol !== 'https:') return plain;
  const https = await import('node:https');
  secure ??= { request: https.request, agent: new https.Agent({ keepAlive: true }) };
  return secure;
}
