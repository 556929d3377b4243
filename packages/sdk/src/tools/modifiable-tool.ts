import type { AnyTool } from '../types/any-tool.js';

/** How a tool's file content is taken out of its parameters and put back, changed by a person. */
export type ModifyContext<TParams extends object = object> = {
  getFilePath(params: TParams): string;
  /** What the file holds now; empty if there is none. */
  getCurrentContent(params: TParams): Promise<string>;
  /** What it would hold after the call. */
  getProposedContent(params: TParams): Promise<string>;
  createUpdatedParams(oldContent: string, modifiedContent: string, originalParams: TParams): TParams;
};

/** What a tool adds to be one whose proposal a person can edit before approving. */
export type ModifiableTool<TParams extends object = object> = {
  getModifyContext(signal: AbortSignal): ModifyContext<TParams>;
};

/** Whether a person can edit what the tool proposes for a file. */
export const isModifiableTool = (tool: AnyTool): tool is AnyTool & ModifiableTool =>
  'getModifyContext' in tool && typeof tool.getModifyContext === 'function';
