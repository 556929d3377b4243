import { builtInTools } from '@countersign/tools';
import type { Config } from '../config.js';
import type { ToolRegistry } from '../tool-registry.js';

/** Registers `read_file`, `write_file` and the others. They work in the workspace of the caller, so `config` is not read yet. */
export function registerBuiltInTools(registry: ToolRegistry, _config?: Config): void {
  for (const tool of builtInTools()) registry.registerTool(tool);
}
