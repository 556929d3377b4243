import type { Entries } from './entry.js';

/** What can go wrong between us and an MCP server. */
export type McpFailure =
  | { readonly code: 'mcp_unavailable'; readonly server: string; readonly problem: string }
  | {
      readonly code: 'mcp_outcome_unknown';
      readonly server: string;
      readonly tool: string;
      readonly problem: string;
    }
  | { readonly code: 'mcp_tool_changed'; readonly server: string; readonly tool: string }
  | { readonly code: 'unknown_resource'; readonly uri: string; readonly servers: readonly string[] };

export const MCP_FAILURES: Entries<McpFailure> = {
  mcp_unavailable: {
    audience: 'model',
    when: 'An MCP server is not connected, so nothing could be sent to it.',
    message: ({ server, problem }) => `The MCP server "${server}" cannot be used now: ${problem}.`,
    hint: () => 'Nothing was sent. Continue without it, or try again later.',
  },
  mcp_outcome_unknown: {
    audience: 'model',
    when: 'A call was sent to an MCP server, and no usable response came back.',
    message: ({ server, tool, problem }) =>
      `${tool} was sent to the MCP server "${server}", and no usable response came back: ${problem}. It may or may not have been carried out.`,
    hint: () => 'Check the current state before doing it again; it is not repeated automatically.',
  },
  mcp_tool_changed: {
    audience: 'model',
    when: 'An MCP server describes a tool differently than when the call of it was approved.',
    message: ({ server, tool }) =>
      `The MCP server "${server}" changed the definition of ${tool} after this call was evaluated. Nothing was sent.`,
    hint: () => 'Read its description again; a new call is evaluated with the new definition.',
  },
  unknown_resource: {
    audience: 'model',
    when: 'It is not clear which MCP server has the resource.',
    message: ({ uri, servers }) =>
      servers.length === 0
        ? `No connected MCP server has resources, so ${uri} cannot be read.`
        : `It is not clear which MCP server has ${uri}: none lists it. Servers with resources: ${servers.join(', ')}.`,
    hint: () => 'List the resources with list_mcp_resources.',
  },
};
