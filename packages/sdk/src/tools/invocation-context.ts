import type { ApprovalMode } from '../types/enums.js';
import type { ForcedDecision } from '../types/tool-types.js';

/** What an invocation can learn about its session. Bound before any method of the invocation is called. */
export type InvocationContext = {
  readonly approvalMode: () => ApprovalMode;
  /** The decision of policy where the tool itself makes none. */
  readonly decide: (signal: AbortSignal) => Promise<ForcedDecision>;
};

/** For an invocation outside an engine, as in a test of the tool alone: nothing is allowed silently. */
const UNBOUND: InvocationContext = { approvalMode: () => 'manual', decide: async () => 'ask_user' };

const bound = new WeakMap<object, InvocationContext>();

export const bindInvocation = (invocation: object, context: InvocationContext): void => {
  bound.set(invocation, context);
};

export const contextOf = (invocation: object): InvocationContext => bound.get(invocation) ?? UNBOUND;
