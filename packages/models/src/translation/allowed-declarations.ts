import type { Declaration, ModelRequest } from '../provider.js';

/** The functions that may be called. Neither wire has a word for "one of these" that all its servers know. */
export function allowedDeclarations({ declarations, toolChoice }: ModelRequest): readonly Declaration[] {
  const allowed = toolChoice?.allowed;
  return allowed ? declarations.filter(({ name }) => allowed.includes(name)) : declarations;
}
