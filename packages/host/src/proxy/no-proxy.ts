import { BlockList, isIP } from 'node:net';

/**
 * Whether `NO_PROXY` names the host of a URL. Entries are separated by commas or spaces: a domain with everything below it
 * (`example.com`, `.example.com`, `*.example.com`), an address, a network (`10.0.0.0/8`), each also with `:port`, or `*` for all.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, onlyPort } = entryParts(entry);
  if (onlyPort !== null && onlyPort !== port) return false;
  if (isIP(host) !== 0) return isInNetwork(host, name);
  const domain = bare(name.replace(/^\*?\.+/, ''));
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** An IPv6 address without brackets has no port. */
function entryParts(entry: string): { name: string; onlyPort: string | null } {
  const [, name, onlyPort] = /^(\[[^\]]*\](?:\/\d+)?|[^:]*):(\d+)$/.exec(entry) ?? [];
  return { name: name ?? entry, onlyPort: onlyPort ?? null };
}

function isInNetwork(host: string, network: string): boolean {
  const [text = '', bits] = network.replace(/[[\]]/g, '').split('/');
  const family = isIP(text);
  if (family === 0) return false;
  const longest = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : /^\d+$/.test(bits) ? Number(bits) : -1;
  if (prefix < 0 || prefix > longest) return false;
  const list = new BlockList();
  list.addSubnet(text, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

const bare = (host: string): string => host.replace(/^\[|\]$|\.+$/g, '');
