import type { AnyTool } from '../types/any-tool.js';

/**
 * How the content of a file is read from a tool's parameters, and written back after a person changed it.
 *
 * @example
 * ```ts
 * const context: ModifyContext<{ path: string; content: string }> = {
 *   getFilePath: ({ path }) => path,
 *   getCurrentContent: async () => '',
 *   getProposedContent: async ({ content }) => content,
 *   createUpdatedParams: (_old, content, params) => ({ ...params, content }),
 * };
 * ```
 */
export type ModifyContext<TParams extends object = object> = {
  getFilePath(params: TParams): string;
  /** What the file holds now; empty if there is none. */
  getCurrentContent(params: TParams): Promise<string>;
  /** What it would hold after the call. */
  getProposedContent(params: TParams): Promise<string>;
  createUpdatedParams(oldContent: string, modifiedContent: string, originalParams: TParams): TParams;
};

/**
 * What a tool adds so that a person can edit its proposal before approving it.
 *
 * @example
 * ```ts
 * const contextOf = (tool: ModifiableTool<{ content: string }>) => tool.getModifyContext(signal);
 * ```
 */
export type ModifiableTool<TParams extends object = object> = {
  getModifyContext(signal: AbortSignal): ModifyContext<TParams>;
};

/**
 * Whether a person can edit the tool's proposal for a file.
 *
 * @example
 * ```ts
 * const tool = registry.getTool('write_file');
 * if (tool && isModifiableTool(tool)) show('can be edited');
 * ```
 */
export const isModifiableTool = (tool: AnyTool): tool is AnyTool & ModifiableTool =>
  'getModifyContext' in tool && typeof tool.getModifyContext === 'function';
