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
  if (isLoopback(address)) return [address, ...LOCAL_HOSTS];
  if (!isEverywhere(address)) return [address];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...LOCAL_HOSTS, ...own.map((each) => each.address)];
}

const isEverywhere = (address: string): address is '0.0.0.0' | '::' =>
  address === '0.0.0.0' || address === '::';

const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/** The first address by which other machines reach a server that listens on all of them; null without a network. */
function addressForOthers(everywhere: '0.0.0.0' | '::'): string | null {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reachable = own.filter(({ internal, address }) => !internal && !isLinkLocal(address));
  // '::' also takes IPv4, whose addresses are shorter to type.
  const found =
    reachable.find(({ family }) => family === 'IPv4') ?? (everywhere === '::' ? reachable[0] : undefined);
  return found?.address ?? null;
}

/** Means nothing without the name of the network interface, which a link in a browser cannot have. */
const isLinkLocal = (address: string): boolean => isIP(address) === 6 && /^fe[89ab]/i.test(address);

/** With TLS the certificate decides which name works, so other machines need --host-name. */
const hostFor = (everywhere: '0.0.0.0' | '::', scheme: Scheme): string =>
  (scheme === 'http' ? addressForOthers(everywhere) : null) ?? '127.0.0.1';

/** How a browser reaches it. */
export function urlOf({ address, port, scheme, names }: Bound): string {
  const [name] = names;
  const host = name ?? (isEverywhere(address) ? hostFor(address, scheme) : address);
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
