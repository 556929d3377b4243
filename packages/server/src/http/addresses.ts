import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export type Scheme = 'http' | 'https';
export type Bound = {
  /** As given to `listen`: a name or an address. */
  readonly address: string;
  readonly port: number;
  readonly scheme: Scheme;
  /** Names by which the server is reached besides its address. */
  readonly names: readonly string[];
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** False for every name other than localhost, which may resolve to any address. */
export function isLoopback(address: string): boolean {
  const kind = isIP(address);
  if (kind === 0) return address.toLowerCase() === 'localhost';
  return loopback.check(address, kind === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The allowed values of the Host header. The page of an attacker whose name was made to point here ("DNS rebinding")
 * sends the attacker's name; an address cannot be made to point elsewhere.
 */
export function allowedHosts({ address, port, scheme, names }: Bound): ReadonlySet<string> {
  const hosts = [...names, ...hostsOf(address)].map((host) =>
    isIP(host) === 6 ? `[${host}]` : host.toLowerCase(),
  );
  const withPort = hosts.map((host) => `${host}:${port}`);
  return new Set(port === DEFAULT_PORTS[scheme] ? [...withPort, ...hosts] : withPort);
}

const DEFAULT_PORTS: { readonly [S in Scheme]: number } = { http: 80, https: 443 };

function hostsOf(address: string): readonly string[] {
  const isEverywhere = address === '0.0.0.0' || address === '::';
  if (isLoopback(address)) return [address, ...LOCAL_HOSTS];
  if (!isEverywhere) return [address];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...LOCAL_HOSTS, ...own.map((each) => each.address)];
}

const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/** The first address by which other machines reach this one; null without a network. */
function addressForOthers(): string | null {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

/** How a browser reaches it. */
export function urlOf({ address, port, scheme, names }: Bound): string {
  const [name] = names;
  const isEverywhere = address === '0.0.0.0' || address === '::';
  // With TLS the certificate decides which name works, so other machines need --host-name.
  const everywhere = (scheme === 'http' ? addressForOthers() : null) ?? '127.0.0.1';
  const host = name ?? (isEverywhere ? everywhere : address);
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
