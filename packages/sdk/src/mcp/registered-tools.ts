import type { Tool } from '@countersign/engine';
import type { ToolPlace } from '@countersign/mcp';
import { builtInTool } from '../built-in/built-in-tool.js';
import type { Config } from '../config/config.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { AnyTool } from '../types/any-tool.js';
import { DiscoveredMCPTool, isServerTool } from './discovered-mcp-tool.js';

/** A registry as the place for the tools of servers: it receives them in the style of Gemini CLI. */
export function registeredTools(registry: ToolRegistry, config: Config): ToolPlace {
  const made = new Map<AnyTool, Tool>();
  const ownTool = (name: string): AnyTool | undefined =>
    registry.getAllTools().find((tool) => tool.name === name && made.has(tool));
  return {
    register: (tool) => {
      const before = ownTool(tool.name);
      if (before) made.delete(before);
      const styled = isServerTool(tool) ? new DiscoveredMCPTool(tool, config) : builtInTool(tool, config);
      made.set(styled, tool);
      registry.registerTool(styled);
    },
    // The program may have registered another tool under the name, which stays.
    unregister: (name) => {
      const tool = ownTool(name);
      if (!tool) return false;
      made.delete(tool);
      return registry.unregisterTool(name);
    },
    all: () => registry.getAllTools().map((tool) => made.get(tool) ?? tool),
    explainMissing: (explain) => registry.explainMissing(explain),
  };
}
