import type { Need } from '@countersign/protocol';
import { linesOf } from '../profile/paths.js';
import type { Profile } from '../profile/profile.js';

const CAN_NOT_REACH = new RegExp(
  [
    'network is unreachable|ENETUNREACH',
    'could not resolve (?:host|proxy)|unable to resolve host|failed to resolve|failed to lookup address',
    'temporary failure (?:in name resolution|resolving)|name or service not known|EAI_AGAIN|ENOTFOUND',
    'could not translate host name|UnknownHostException|dial (?:tcp|udp)\\S* lookup',
  ].join('|'),
  'i',
);

/** Ways to name the host in such a complaint, the surest first. */
const HOST = [
  /could not resolve (?:host(?:name)?|proxy):? ['"‘]?([\w.-]+)/i,
  /(?:unable to resolve host(?: address)?|failure resolving|translate host name|failed to resolve address for|failed to lookup address information:?) ['"‘]?([\w.-]+)/i,
  /(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH) ([\w.-]+|[\da-f:]+(?=:\d+\b))/i,
  /dial (?:tcp|udp)\S*(?: lookup)? ([\w.-]+)/i,
  /host=['"]([\w.-]+)['"]/,
  /UnknownHostException: ([\w.-]+)/,
  /https?:\/\/(?:[^\s/@]*@)?([\w.-]+)/i,
  /\/dev\/tcp\/([\w.-]+)\//,
  /\bhost(?:name)? ([\w-]*[.\d][\w.-]*)/i,
  /(?:^|: )([\w-]+(?:\.[\w-]+)+): (?:temporary|name or)/i,
];

/** The host that a complaint is about, where the network is blocked. */
export function deniedHost(line: string, { network }: Profile): Need | null {
  if (network === 'open') return null;
  if (CAN_NOT_REACH.test(line)) return { needs: 'network', host: hostIn(line) };
  const port = refusedPort(line);
  return port !== null && isServedHere(port) ? { needs: 'network', host: `localhost:${port}` } : null;
}

function hostIn(line: string): string | null {
  for (const pattern of HOST) {
    const host = pattern.exec(line)?.[1]?.replace(/\.+$/, '');
    if (host) return host;
  }
  return null;
}

const IS_REFUSED = /connection refused|ECONNREFUSED|failed to connect|couldn't connect/i;
const LOCAL_PORT = /(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?)\W{1,4}(?:port )?(\d{1,5})\b/i;

function refusedPort(line: string): number | null {
  const port = IS_REFUSED.test(line) ? LOCAL_PORT.exec(line)?.[1] : undefined;
  return port === undefined ? null : Number(port);
}

const LISTENING = '0A'; // TCP_LISTEN in the kernel's table

/** Whether it would not have been refused outside the sandbox, which has a loopback of its own. */
function isServedHere(port: number): boolean {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((table) =>
    linesOf(table).some((line) => {
      const [, local, , state] = line.trim().split(/\s+/);
      return state === LISTENING && local?.endsWith(`:${hexadecimal}`) === true;
    }),
  );
}
