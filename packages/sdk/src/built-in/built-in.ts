import { builtInTools, userTools } from '@countersign/tools';
import { Config } from '../config/config.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { builtInTool } from './built-in-tool.js';

/**
 * Registers `read_file`, `write_file` and the other built-in tools. Schedulers use them in their own workspace; `build` and
 * `execute` of a tool, for programs that call it themselves, use that of `config`.
 *
 * @example
 * ```ts
 * registerBuiltInTools(registry, config);
 * const invocation = registry.getTool('read_file')?.build({ file_path: 'package.json' });
 * show((await invocation?.execute(signal))?.returnDisplay);
 * ```
 */
export function registerBuiltInTools(registry: ToolRegistry, config: Config = new Config()): void {
  const user = { userDirectory: config.getUserDirectory(), isTrusted: config.isTrustedFolder() };
  const tools = [...builtInTools(), ...userTools({ env: process.env, ...user })];
  for (const tool of tools) registry.registerTool(builtInTool(tool, config));
}
