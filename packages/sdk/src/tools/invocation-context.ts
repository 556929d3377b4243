import type { ApprovalMode } from '../types/enums.js';
import type { ForcedDecision } from '../types/tool-types.js';

/** What an invocation may ask about where it runs: given by the engine's side before the invocation is asked anything. */
export type InvocationContext = {
  readonly approvalMode: () => ApprovalMode;
  /** What policy says of this call where the tool itself has no opinion. */
  readonly decide: (signal: AbortSignal) => Promise<ForcedDecision>;
};

/** Nobody bound it, as in a test of the tool alone: nothing is allowed silently. */
const UNBOUND: InvocationContext = { approvalMode: () => 'manual', decide: async () => 'ask_user' };

const bound = new WeakMap<object, InvocationContext>();

export const bindInvocation = (invocation: object, context: InvocationContext): void => {
  bound.set(invocation, context);
};

export const contextOf = (invocation: object): InvocationContext => bound.get(invocation) ?? UNBOUND;
