import {
  type Checked,
  declarationOf,
  type FunctionDeclaration,
  type PlanContext,
  type PlanDraft,
  type RunContext,
  type Tool,
} from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import { builtInTool } from '../built-in/built-in-tool.js';
import type { Config } from '../config/config.js';
import type { BuiltInTool } from '../types/built-in-types.js';
import type { ToolInvocation, ToolResult } from '../types/tool-types.js';

/** A tool as the connection to its server makes it: which server, and what the server itself calls the tool. */
export type ServerTool = Tool & {
  readonly server: string;
  readonly tool: string;
  readonly timeoutMs: number;
};

export const isServerTool = (tool: Tool): tool is ServerTool =>
  tool.mcpServer !== undefined && 'server' in tool && 'tool' in tool;

/**
 * A tool of an MCP server. `McpClientManager` makes and registers them; schedulers judge and run them like any other tool, and a
 * program that calls one itself uses `build` or `execute`.
 *
 * @example
 * ```ts
 * for (const tool of registry.getAllTools())
 *   if (tool instanceof DiscoveredMCPTool) show(tool.name, tool.serverName, tool.serverToolName, tool.schema);
 * ```
 */
export class DiscoveredMCPTool implements BuiltInTool {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Tool['kind'];
  readonly inputSchema: JsonObject;
  readonly isOutputMarkdown = true;
  readonly canUpdateOutput: boolean;
  readonly timeoutMs: number;
  readonly mcpServer: string;
  /** The name of the server in the settings. */
  readonly serverName: string;
  /** What the server itself calls the tool. */
  readonly serverToolName: string;
  readonly #tool: ServerTool;
  readonly #called: BuiltInTool;

  /** For `McpClientManager`: a tool without a connection to its server does nothing. */
  constructor(tool: ServerTool, config: Config) {
    this.name = tool.name;
    this.displayName = tool.displayName;
    this.description = tool.description;
    this.kind = tool.kind;
    this.inputSchema = tool.inputSchema;
    this.canUpdateOutput = tool.canUpdateOutput;
    this.timeoutMs = tool.timeoutMs;
    this.mcpServer = tool.server;
    this.serverName = tool.server;
    this.serverToolName = tool.tool;
    this.#tool = tool;
    this.#called = builtInTool(asObject(tool), config);
  }

  get parameterSchema(): object {
    return this.inputSchema;
  }

  get schema(): FunctionDeclaration {
    return declarationOf(this);
  }

  getSchema(modelId?: string): FunctionDeclaration {
    return declarationOf(this, modelId);
  }

  /** `mcp_SERVER_TOOL`, which no tool of another server has. */
  getFullyQualifiedName(): string {
    return this.name;
  }

  validateToolParams(params: object): string | null {
    return this.#called.validateToolParams(params);
  }

  /** Throws with the reason if the parameters do not match the schema of the server. */
  build(params: object): ToolInvocation<JsonObject> {
    return this.#called.build(params);
  }

  execute(params: object, signal: AbortSignal, updateOutput?: (text: string) => void): Promise<ToolResult> {
    return this.#called.execute(params, signal, updateOutput);
  }

  check(args: JsonObject): Checked {
    return this.#tool.check(args);
  }

  plan(args: JsonObject, context: PlanContext): PlanDraft | Promise<PlanDraft> {
    return this.#tool.plan(args, context);
  }

  run(args: JsonObject, context: RunContext): ReturnType<Tool['run']> {
    return this.#tool.run(args, context);
  }
}

/** With its methods as members of its own, which is what an added style keeps. */
const asObject = (tool: ServerTool): Tool => ({
  name: tool.name,
  displayName: tool.displayName,
  description: tool.description,
  kind: tool.kind,
  inputSchema: tool.inputSchema,
  canUpdateOutput: tool.canUpdateOutput,
  timeoutMs: tool.timeoutMs,
  mcpServer: tool.server,
  check: (args) => tool.check(args),
  plan: (args, context) => tool.plan(args, context),
  run: (args, context) => tool.run(args, context),
});
