import { builtInTools } from './built-in-tools.js';
import { userTools } from './user-tools.js';

/**
 * Whether a name belongs to a built-in tool, registered or not, or to the tools of MCP servers. A discovered tool of such a name
 * would be judged by rules that were written for another one.
 */
export function isReservedName(name: string): boolean {
  reserved ??= namesOfOurs();
  return reserved.has(name) || name.startsWith(SERVER_PREFIX);
}

const SERVER_PREFIX = 'mcp_';
const OF_SERVERS = ['list_mcp_resources', 'read_mcp_resource'];
let reserved: ReadonlySet<string> | null = null;

function namesOfOurs(): ReadonlySet<string> {
  const tools = [...builtInTools({ sandbox: 'off' }), ...userTools({ env: {}, isTrusted: false })];
  return new Set([
    ...OF_SERVERS,
    ...tools.flatMap(({ name, aliases = [] }) => [name, ...aliases.map((alias) => alias.name)]),
  ]);
}
