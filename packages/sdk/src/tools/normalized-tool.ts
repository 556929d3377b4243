import { isJsonObject, plainData } from '@countersign/host';
import type { JsonObject } from '@countersign/protocol';
import { type AnyTool, isDeclarativeTool } from '../types/any-tool.js';
import type { Kind } from '../types/enums.js';
import type { PlainInvocation } from '../types/tool-types.js';
import { isModifiableTool, type ModifyContext } from './modifiable-tool.js';
import { buildPlain, declarationOf, kindOf } from './plain-tool.js';

/** A tool in the class or plain style, in one common form. */
export type NormalizedTool = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Kind;
  readonly inputSchema: () => JsonObject;
  readonly canUpdateOutput: boolean;
  /** Throws with the reason if the arguments are wrong. */
  readonly build: (args: JsonObject) => PlainInvocation;
  readonly modifyContext: ((signal: AbortSignal) => ModifyContext) | null;
};

export function normalizeTool(tool: Exclude<AnyTool, { plan: unknown }>): NormalizedTool {
  const modifyContext = isModifiableTool(tool)
    ? (signal: AbortSignal) => tool.getModifyContext(signal)
    : null;
  const { name, displayName = name, description } = tool;
  const common = {
    name,
    displayName,
    description,
    kind: kindOf(tool.kind),
    canUpdateOutput: tool.canUpdateOutput ?? false,
    modifyContext,
  };
  return isDeclarativeTool(tool)
    ? {
        ...common,
        inputSchema: () => tool.schema.parametersJsonSchema,
        build: (args) => tool.build(copyOf(args)),
      }
    : {
        ...common,
        inputSchema: () => declarationOf(tool).parametersJsonSchema,
        build: (args) => buildPlain(tool, copyOf(args)),
      };
}

/** Tools may change their parameters; the journaled and approved arguments stay as they are. */
export function copyOf(args: object): JsonObject {
  const copy = plainData(args);
  if (!copy.ok) throw new Error(`the arguments cannot be used: ${copy.problem}`);
  return isJsonObject(copy.value) ? copy.value : {};
}
