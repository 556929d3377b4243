export { McpClientManager } from './mcp-client-manager.js';
export { type PromptCommand, PromptCommands, type SaidPrompt } from './prompt-commands.js';
export type { Mention } from './resources/mention.js';
export type { GovernedSession } from './server/governed-session.js';
export { HttpSessions } from './server/http-sessions.js';
export { serveOverStdio } from './server/serve-stdio.js';
export { type McpLimits } from './servers/limits.js';
export type { ServerOffers, ServerReport } from './servers/server-status.js';
export { DiscoveredMCPTool } from './tool/discovered-mcp-tool.js';
