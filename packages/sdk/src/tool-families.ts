import { declarationOf, type FunctionDeclaration } from '@countersign/engine';
import { familyOf, type ModelFamily } from '@countersign/protocol';
import { builtInTools } from '@countersign/tools';

/** Which words a model is given for the tools. */
export const getToolFamily = (modelId: string): ModelFamily => familyOf(modelId);

/** The built-in tools with their declarations for this model. */
export const getToolSet = (modelId: string): readonly FunctionDeclaration[] =>
  builtInTools().map((tool) => declarationOf(tool, modelId));
