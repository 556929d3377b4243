import { declarationOf, type FunctionDeclaration } from '@countersign/engine';
import { familyOf, type ModelFamily } from '@countersign/protocol';
import { builtInTools, userTools } from '@countersign/tools';

/**
 * The family of a model, which decides how tools are described to it.
 *
 * @example
 * ```ts
 * show(getToolFamily('gemini-3-pro'));
 * ```
 */
export const getToolFamily = (modelId: string): ModelFamily => familyOf(modelId);

/**
 * The built-in tools as they are declared to a model.
 *
 * @example
 * ```ts
 * show(getToolSet('gemini-3-pro').map(({ name }) => name));
 * ```
 */
export const getToolSet = (modelId: string): readonly FunctionDeclaration[] =>
  [...builtInTools(), ...userTools({ env: process.env, isTrusted: false })].map((tool) =>
    declarationOf(tool, modelId),
  );
