import type { JsonObject } from '@countersign/protocol';

/**
 * The settings of one MCP server, as `mcpServers` of Gemini CLI has them: `command`, `args`, `env` and `cwd` of a program to
 * start, or the `url` (`httpUrl`) and `headers` of one that listens; `timeout` in milliseconds, `trust`, `includeTools`,
 * `excludeTools`, `description`.
 *
 * @example
 * ```ts
 * const files: MCPServerConfig = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] };
 * const config = new Config({ mcpServers: { files } });
 * ```
 */
export type MCPServerConfig = JsonObject;

/**
 * Whether a server can be called now.
 *
 * @example
 * ```ts
 * const isUsable = (client: McpClient) => client.getStatus() === MCPServerStatus.CONNECTED;
 * ```
 */
export const MCPServerStatus = {
  /** It is not connected; `getLastError` of the manager says why. It is tried again from time to time. */
  DISCONNECTED: 'disconnected',
  CONNECTING: 'connecting',
  CONNECTED: 'connected',
} as const;
export type MCPServerStatus = (typeof MCPServerStatus)[keyof typeof MCPServerStatus];

/**
 * Whether every server that was started is connected or has failed.
 *
 * @example
 * ```ts
 * const isDone = (manager: McpClientManager) => manager.getDiscoveryState() === MCPDiscoveryState.COMPLETED;
 * ```
 */
export const MCPDiscoveryState = {
  NOT_STARTED: 'not_started',
  IN_PROGRESS: 'in_progress',
  COMPLETED: 'completed',
} as const;
export type MCPDiscoveryState = (typeof MCPDiscoveryState)[keyof typeof MCPDiscoveryState];
