/**
 * The Model Context Protocol, both ways: servers as tools of ours, and our tools as a server for other agents.
 *
 * What enters: server settings, and what servers send. What leaves: tools, prompts and resources for a session; on the other side, governed
 * calls for a client.
 *
 * What holds: a server's text is foreign text: bounded, checked against its schema, shown as what it is; a call that another agent sends passes the
 * same policy and approvals as any other.
 */
export { McpClientManager, type ToolPlace } from './mcp-client-manager.js';
export { type PromptCommand, PromptCommands, type SaidPrompt } from './prompt-commands.js';
export type { Mention } from './resources/mention.js';
export { schemaCheck } from './schema/schema-check.js';
export { schemaProblem } from './schema/schema-problem.js';
export type { GovernedSession } from './server/governed-session.js';
export { HttpSessions } from './server/http-sessions.js';
export { serveOverStdio } from './server/serve-stdio.js';
export { type McpLimits } from './servers/limits.js';
export type { ServerOffers, ServerReport } from './servers/server-status.js';
export { DiscoveredMCPTool } from './tool/discovered-mcp-tool.js';
