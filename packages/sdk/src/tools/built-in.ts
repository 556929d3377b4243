import { builtInTools } from '@countersign/tools';
import type { Config } from '../config/config.js';
import type { ToolRegistry } from './tool-registry.js';

/**
 * Registers `read_file`, `write_file` and the other built-in tools. They work in the workspace of the scheduler that
 * calls them; `config` is not used yet.
 *
 * @example
 * ```ts
 * registerBuiltInTools(registry, config);
 * show(registry.getTool('read_file')?.name);
 * ```
 */
export function registerBuiltInTools(registry: ToolRegistry, _config?: Config): void {
  for (const tool of builtInTools()) registry.registerTool(tool);
}
