import type { Tool } from '@countersign/engine';
import type { DeclarativeTool, PlainTool } from './tool-types.js';

/**
 * A tool in any of the three styles: `defineTool`, class, plain object.
 *
 * @example
 * ```ts
 * const names = (tools: readonly AnyTool[]) => tools.map(({ name }) => name);
 * ```
 */
export type AnyTool = Tool | DeclarativeTool | PlainTool<object>;

export const isEngineTool = (tool: AnyTool): tool is Tool =>
  'plan' in tool && 'run' in tool && 'check' in tool;

export const isDeclarativeTool = (tool: AnyTool): tool is DeclarativeTool =>
  'build' in tool && typeof tool.build === 'function';
