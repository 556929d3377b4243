export type { Definition } from './definitions/definition.js';
export { DEFAULT_MCP_LIMITS, type McpLimits } from './limits.js';
export { McpClientManager, type McpListener, type McpOptions } from './mcp-client-manager.js';
export type { McpPrompt, PromptMessages } from './prompts.js';
export type { Mention } from './resources/mention.js';
export type { ServerReport, ServerStatus } from './servers/server-status.js';
export { DiscoveredMCPTool } from './tool/discovered-mcp-tool.js';
