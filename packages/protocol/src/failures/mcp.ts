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
    transient: false,
    when: 'An MCP server is not connected, so that nothing could be sent to it.',
    message: ({ server, problem }) => `The MCP server "${server}" can not be used now: ${problem}.`,
    hint: () => 'Nothing was sent. Go on without it, or try again later.',
  },
  mcp_outcome_unknown: {
    audience: 'model',
    transient: false,
    when: 'A call was sent to an MCP server, and no answer that can be used came back.',
    message: ({ server, tool, problem }) =>
      `${tool} was sent to the MCP server "${server}", and no usable answer came: ${problem}. It may or may not have been carried out.`,
    hint: () => 'Look at what is there now before doing it again; it will not be repeated by itself.',
  },
  mcp_tool_changed: {
    audience: 'model',
    transient: false,
    when: 'An MCP server describes a tool differently than when the call of it was approved.',
    message: ({ server, tool }) =>
      `The MCP server "${server}" changed what it says of ${tool} after this call was judged. Nothing was sent.`,
    hint: () => 'Look at its description again; a new call is judged, and asked about, as it is now.',
  },
  unknown_resource: {
    audience: 'model',
    transient: false,
    when: 'No MCP server, or more than one, could have the resource.',
    message: ({ uri, servers }) =>
      servers.length === 0
        ? `No MCP server that is connected has resources, so ${uri} can not be read.`
        : `It is not clear which MCP server has ${uri}: none lists it. Those with resources are ${servers.join(', ')}.`,
    hint: () => 'list_mcp_resources tells what there is.',
  },
};
