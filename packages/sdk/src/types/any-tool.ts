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
  hasMethod(tool, 'plan') && hasMethod(tool, 'run') && hasMethod(tool, 'check');

export const isDeclarativeTool = (tool: AnyTool): tool is DeclarativeTool => hasMethod(tool, 'build');

/** A member that is there and undefined is as good as absent. */
export const hasMethod = (tool: object, name: string): boolean =>
  typeof Reflect.get(tool, name) === 'function';
