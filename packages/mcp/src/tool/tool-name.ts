import { hash } from 'node:crypto';

const NAME_CHARS_MAX = 63; // what the Gemini API takes
const HASH_CHARS = 8;

/**
 * The name of a server's tool among all tools. It depends on nothing but the
 * names in the settings and the tool's own, so that it is the same in every
 * run, in whatever order the servers answer. Where it would not say for certain
 * which pair is meant, a hash of the pair does.
 */
export function toolName(server: string, tool: string, servers: Iterable<string>): string {
  const plain = `${prefixOf(server)}${safe(tool)}`;
  const isCertain =
    safe(tool) === tool && plain.length <= NAME_CHARS_MAX && !isClaimed(plain, server, servers);
  if (isCertain) return plain;
  const mark = hash('sha256', JSON.stringify([server, tool])).slice(0, HASH_CHARS);
  return `${plain.slice(0, NAME_CHARS_MAX - HASH_CHARS - 1)}_${mark}`;
}

/**
 * Whether the name could be one of another server: `mcp_a_b_c` is tool `c` of
 * server `a_b`, if there is one, and not tool `b_c` of server `a`.
 */
function isClaimed(name: string, server: string, servers: Iterable<string>): boolean {
  const own = prefixOf(server);
  for (const other of servers) {
    const prefix = prefixOf(other);
    if (other === server || !name.startsWith(prefix)) continue;
    if (prefix.length > own.length || (prefix === own && safe(server) !== server)) return true;
  }
  return false;
}

/** The server whose tool a name would be: of several, the one with the longest name. */
export function serverOf(name: string, servers: Iterable<string>): string | null {
  const named = [...servers].filter((server) => name.startsWith(prefixOf(server)));
  return named.reduce<string | null>((a, b) => (a !== null && a.length >= b.length ? a : b), null);
}

const prefixOf = (server: string): string => `mcp_${safe(server)}_`;

const safe = (name: string): string => name.replace(/[^A-Za-z0-9_\-.:]/g, '_');
