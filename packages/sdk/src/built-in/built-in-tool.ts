import { declarationOf, type Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import type { Config } from '../config/config.js';
import type { ModifiableTool, ModifyContext } from '../tools/modifiable-tool.js';
import { copyOf } from '../tools/normalized-tool.js';
import { isEngineTool } from '../types/any-tool.js';
import type { BuiltInTool } from '../types/built-in-types.js';
import { BuiltInCall } from './built-in-call.js';
import { lookAt } from './look-at.js';

/** A built-in tool for schedulers, and in the style of Gemini CLI for programs that call it themselves. */
export function builtInTool(tool: Tool, config: Config): BuiltInTool {
  const { name, displayName, description, kind, canUpdateOutput } = tool;
  const problemsOf = (args: JsonObject): string | null => {
    const checked = tool.check(args);
    return checked.ok ? null : checked.problems.join('; ');
  };
  const read = (params: object): JsonObject => {
    const args = copyOf(params);
    return tool.renameArgs?.(args) ?? args;
  };
  const build = (params: object) => {
    const args = read(params);
    const problems = problemsOf(args);
    if (problems !== null) throw new Error(`Wrong arguments for ${name}: ${problems}.`);
    return new BuiltInCall(tool, args, config);
  };
  const style = {
    name,
    displayName,
    description,
    kind,
    canUpdateOutput,
    isOutputMarkdown: true,
    get parameterSchema() {
      return tool.inputSchema;
    },
    get schema() {
      return declarationOf(tool);
    },
    getSchema: (modelId?: string) => declarationOf(tool, modelId),
    validateToolParams: (params: object) => problemsOf(read(params)),
    build,
    execute: async (params: object, signal: AbortSignal, updateOutput?: (text: string) => void) =>
      build(params).execute(signal, updateOutput),
    ...(tool.withContent && modifiable(tool, tool.withContent, config)),
  };
  // Descriptors, since a spread would make every schema, which takes longer than all else at a start.
  const both = Object.defineProperties(style, Object.getOwnPropertyDescriptors(tool));
  if (!isEngineTool(both)) throw new Error(`${name} is not a tool of the engine.`);
  return both;
}

function modifiable(
  tool: Tool,
  withContent: NonNullable<Tool['withContent']>,
  config: Config,
): ModifiableTool<JsonObject> {
  const proposalOf = async (params: JsonObject) => {
    const { confirmation } = await lookAt(tool, params, config);
    if (confirmation?.type === 'edit') return confirmation;
    throw new Error(`${tool.name} proposes no content for a file.`);
  };
  const context: ModifyContext<JsonObject> = {
    getFilePath: ({ file_path: path }) => (typeof path === 'string' ? path : ''),
    getCurrentContent: async (params) => (await proposalOf(params)).originalContent ?? '',
    getProposedContent: async (params) => (await proposalOf(params)).newContent,
    createUpdatedParams: (oldContent, modifiedContent, params) => {
      const updated = withContent(params, modifiedContent, oldContent === '' ? null : oldContent);
      if (updated instanceof Promise) throw new Error(`${tool.name} takes its time to change arguments.`);
      return updated;
    },
  };
  return { getModifyContext: () => context };
}
