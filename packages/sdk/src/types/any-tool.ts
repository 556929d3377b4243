import type { Tool } from '@countersign/engine';
import type { DeclarativeTool, PlainTool } from './tool-types.js';

/** The three ways to say the same thing: `defineTool`, the class style, the plain object style. */
export type AnyTool = Tool | DeclarativeTool | PlainTool<object>;

export const isEngineTool = (tool: AnyTool): tool is Tool =>
  'plan' in tool && 'run' in tool && 'check' in tool;

export const isDeclarativeTool = (tool: AnyTool): tool is DeclarativeTool =>
  'build' in tool && typeof tool.build === 'function';
