import type { GrantPattern } from '@countersign/protocol';
import type { PolicyUpdateOptions } from '../types/tool-types.js';

/**
 * What of an offered grant is left when the tool wants less. Null: what it
 * wants is not within the offer, or cannot be expressed as a grant, and then nothing
 * is granted beyond the one call. Never more than the offer.
 */
export function narrowedGrant(
  offered: GrantPattern,
  wanted: PolicyUpdateOptions | undefined,
  tool: string,
): GrantPattern | null {
  if (wanted === undefined) return offered;
  const { toolName, mcpName, commandPrefix, argsPattern } = wanted;
  // There is no grant for some arguments or some commands only.
  if (commandPrefix !== undefined || argsPattern !== undefined) return null;
  switch (offered.kind) {
    case 'command':
      return mcpName === undefined && (toolName ?? tool) === tool ? offered : null;
    case 'edits':
      if (mcpName !== undefined) return null;
      return toolName === undefined ? offered : ownTool(toolName, tool);
    case 'tool':
    case 'host':
      return mcpName === undefined && (toolName ?? offered.tool) === offered.tool ? offered : null;
    case 'mcp-tool':
      return (mcpName ?? offered.server) === offered.server && (toolName ?? offered.tool) === offered.tool
        ? offered
        : null;
    case 'mcp-server':
      if ((mcpName ?? offered.server) !== offered.server) return null;
      return toolName === undefined ? offered : { kind: 'mcp-tool', server: offered.server, tool: toolName };
  }
}

const ownTool = (wanted: string, tool: string): GrantPattern | null =>
  wanted === tool ? { kind: 'tool', tool } : null;
