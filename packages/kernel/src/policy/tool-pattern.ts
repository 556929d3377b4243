import type { PolicyDecision } from '@countersign/protocol';
import { isGlob, matchesGlob } from './glob.js';
import type { Rule } from './rule.js';

/** A tool by its full name and, if a server offers it, the pair which that name was made of. */
export type ToolIdentity = { readonly name: string; readonly mcp: McpPair | null };
export type McpPair = { readonly server: string; readonly tool: string };

const MCP = 'mcp_';

export function ruleNamesTool(
  rule: Pick<Rule, 'tools' | 'mcpServer' | 'decision'>,
  tool: ToolIdentity,
): boolean {
  const { mcp } = tool;
  if (rule.mcpServer === null)
    return rule.tools.some((pattern) => patternNamesTool(pattern, tool, rule.decision));
  if (mcp === null || (rule.mcpServer !== '*' && rule.mcpServer !== mcp.server)) return false;
  return rule.tools.some(
    (pattern) => matchesGlob(pattern, mcp.tool) || patternNamesTool(pattern, tool, rule.decision),
  );
}

function patternNamesTool(pattern: string, tool: ToolIdentity, decision: PolicyDecision): boolean {
  if (tool.mcp === null || !pattern.startsWith(MCP) || !isGlob(pattern))
    return matchesGlob(pattern, tool.name);
  return decision === 'allow' ? allowsPair(pattern, tool.mcp) : forbidsPair(pattern, tool.mcp);
}

/**
 * `mcp_a_b_*` allows what server `a_b` offers, and not what a server `a` chose
 * to call `b_something`: who may be trusted is a question of the server.
 */
function allowsPair(pattern: string, mcp: McpPair): boolean {
  const rest = pattern.slice(MCP.length);
  const server = rest.slice(0, -2);
  if (rest.endsWith('_*') && !isGlob(server)) return server === mcp.server;
  return splitMatches(rest, mcp.server, mcp.tool) || (!rest.includes('_') && matchesGlob(rest, joined(mcp)));
}

/** A rule that denies or asks counts under every reading, except that a server it spells out is that server. */
function forbidsPair(pattern: string, mcp: McpPair): boolean {
  const rest = pattern.slice(MCP.length);
  if (splitMatches(rest, mcp.server, mcp.tool) || splitMatches(rest, asInToolNames(mcp.server), mcp.tool))
    return true;
  const spelledOut = rest.slice(0, rest.search(/[*?]/));
  return !spelledOut.includes('_') && matchesGlob(rest, joined(mcp));
}

function splitMatches(rest: string, server: string, tool: string): boolean {
  for (let at = rest.indexOf('_'); at !== -1; at = rest.indexOf('_', at + 1)) {
    if (matchesGlob(rest.slice(0, at), server) && matchesGlob(rest.slice(at + 1), tool)) return true;
  }
  return false;
}

const joined = (mcp: McpPair): string => `${mcp.server}_${mcp.tool}`;

/** How a server is spelled inside the names of its tools. */
const asInToolNames = (server: string): string => server.replace(/[^A-Za-z0-9_\-.:]/g, '_');

/** The tool's own name on its server, for a caller that knows only the full name. */
export function ownName(name: string, server: string): string {
  const prefix = `${MCP}${asInToolNames(server)}_`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
