import type { LookupAddress } from 'node:dns';
import { ToolFailure } from '@countersign/protocol';
import { whyNotPublic } from './public-address.js';

/** What may be reached: the public internet, and what a person opened by name. */
export type Reachable = {
  /** `host:port` pairs that may be reached wherever they lie, e.g. `localhost:3000`. */
  readonly allowHosts: readonly string[];
  /** All addresses that a name has. */
  readonly lookup: (hostname: string) => Promise<readonly LookupAddress[]>;
};

export async function systemLookup(hostname: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname, { all: true });
}

/** Throws if the URL alone shows that the host is off limits. Without a lookup, which would send the name to a name server. */
export async function refuseByName(url: URL, allowHosts: readonly string[]): Promise<void> {
  const why = isAllowed(url, allowHosts) ? null : await whyRefused(hostOf(url));
  if (why !== null) throw refused(url, why);
}

/**
 * The addresses of the host, every one checked. The connection uses these without another lookup: the next answer
 * may be another one.
 */
export async function checkedAddresses(url: URL, reachable: Reachable): Promise<readonly LookupAddress[]> {
  const { allowHosts, lookup } = reachable;
  await refuseByName(url, allowHosts);
  const host = hostOf(url);
  if (isLiteral(host)) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  const addresses = await lookup(host);
  if (isAllowed(url, allowHosts)) return addresses;
  for (const { address } of addresses) {
    const why = await whyNotPublic(address);
    if (why !== null) throw refused(url, `${host} resolves to ${address}, which ${why}`);
  }
  return addresses;
}

/** `URL` has brought every spelling of an IPv4 address into dotted decimals by now. */
const isLiteral = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');

const isAllowed = (url: URL, allowHosts: readonly string[]): boolean => allowHosts.includes(hostAndPort(url));

/** `localhost:3000`, `example.org:443` */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

async function whyRefused(host: string): Promise<string | null> {
  if (isLiteral(host)) {
    const why = await whyNotPublic(host);
    return why && `${host} ${why}`;
  }
  const isLocal = LOCAL_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
  if (isLocal) return `${host} is a name of this machine or its own network`;
  return host.includes('.') ? null : `${host} is a name of a local network`;
}

/** Domains set aside for local use. What other names lead to is seen when they are looked up. */
const LOCAL_DOMAINS: readonly string[] = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
];

const refused = (url: URL, why: string): ToolFailure =>
  new ToolFailure({ code: 'address_refused', url: url.href, why });
