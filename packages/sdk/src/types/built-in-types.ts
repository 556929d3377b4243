import type { Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import type { DeclarativeTool, ToolInvocation, ToolResult } from './tool-types.js';

/**
 * A built-in tool: what schedulers run, and `build`, `schema` and `execute` for programs that call it themselves.
 *
 * @example
 * ```ts
 * const describe = (tool: BuiltInTool) => tool.build({ file_path: 'a.txt' }).getDescription();
 * ```
 */
export type BuiltInTool = Tool &
  Omit<DeclarativeTool<JsonObject>, 'validateToolParams' | 'build'> & {
    validateToolParams(params: object): string | null;
    build(params: object): ToolInvocation<JsonObject>;
    /** The same as `build(params).execute(signal, updateOutput)`. */
    execute(params: object, signal: AbortSignal, updateOutput?: (text: string) => void): Promise<ToolResult>;
  };

/**
 * The names that `registerBuiltInTools` registers.
 *
 * @example
 * ```ts
 * const names: BuiltInToolName[] = ['read_file', 'write_file'];
 * ```
 */
export type BuiltInToolName =
  | 'read_file'
  | 'write_file'
  | 'replace'
  | 'list_directory'
  | 'grep_search'
  | 'glob'
  | 'read_many_files'
  | 'run_shell_command'
  | 'list_background_processes'
  | 'read_background_output'
  | 'stop_background_process'
  | 'web_fetch'
  | 'ask_user'
  | 'enter_plan_mode'
  | 'exit_plan_mode'
  | 'update_topic'
  | 'write_todos'
  | 'save_memory'
  | 'activate_skill'
  | 'google_web_search';
