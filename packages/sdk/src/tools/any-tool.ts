import type { Tool } from '@countersign/engine';
import type { BaseDeclarativeTool } from './base-declarative-tool.js';
import type { PlainTool, ToolResult } from './tool-types.js';

/** The three ways to say the same thing: `defineTool`, the class style, the plain object style. */
export type AnyTool = Tool | BaseDeclarativeTool<never, ToolResult> | PlainTool<never>;
