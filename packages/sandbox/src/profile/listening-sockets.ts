import { kindOf, linesOf } from './paths.js';

/** Resolves user names, and nothing else: without it many programs do not know their own user. */
const NAME_SERVICE = '/var/lib/sss/pipes/nss';

const ACCEPTS_CONNECTIONS = 0x1_0000; // __SO_ACCEPTCON in the kernel's table

/**
 * Paths at which some process of this machine waits for connections. A
 * read-only mount does not prevent connections. Sockets that are made
 * later stay reachable.
 */
export function listeningSockets(): string[] {
  return linesOf('/proc/net/unix')
    .map((line) => /^\S+: \S+ \S+ (\S+) \S+ \S+ +\d+ (\/.*)$/.exec(line))
    .flatMap((fields) => {
      const [, flags = '', path = ''] = fields ?? [];
      const isListening = (Number.parseInt(flags, 16) & ACCEPTS_CONNECTIONS) !== 0;
      // The path may be one of another mount namespace, or removed.
      return isListening && path !== NAME_SERVICE && kindOf(path) === 'socket' ? [path] : [];
    });
}
