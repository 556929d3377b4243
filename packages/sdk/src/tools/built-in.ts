import { builtInTools } from '@countersign/tools';
import type { Config } from '../config/config.js';
import type { ToolRegistry } from './tool-registry.js';

/** Registers `read_file`, `write_file` and the others. They work in the workspace of whoever calls them, so `config` is not looked at yet. */
export function registerBuiltInTools(registry: ToolRegistry, _config?: Config): void {
  for (const tool of builtInTools()) registry.registerTool(tool);
}
