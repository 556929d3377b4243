import type {
  CallRequest,
  HookAdvice,
  HookNote,
  JsonObject,
  Plan,
  TailCall,
  ToolOutcome,
} from '@countersign/protocol';

/** The events that hooks receive. */
export type HookedCall = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly request: CallRequest;
  readonly plan: Plan;
  readonly signal: AbortSignal;
};

/** The result of BeforeTool hooks. */
export type BeforeReport = {
  readonly advice: HookAdvice | null;
  /** The arguments that they want instead: planned and judged like any others. */
  readonly args: JsonObject | null;
  readonly notes: readonly HookNote[];
};

/** The result of AfterTool hooks. */
export type AfterReport = {
  /** What takes the place of the outcome; null leaves it as it is. */
  readonly outcome: ToolOutcome | null;
  /** A call that is to follow, and whose result takes the place of this one's. */
  readonly tailCall: TailCall | null;
  readonly notes: readonly HookNote[];
};

/**
 * Programs of the user that look at calls before and after they run. A hook that fails is part of the report: neither
 * function rejects.
 *
 * @example
 * ```ts
 * const hooks: CallHooks = {
 *   before: () => null,
 *   listensAfter: () => false,
 *   after: async () => ({ outcome: null, tailCall: null, notes: [] }),
 *   leave: async () => {},
 * };
 * const config = new Config({ hooks });
 * ```
 */
export type CallHooks = {
  /** Null at once if no hook is for this tool. */
  readonly before: (call: HookedCall) => Promise<BeforeReport> | null;
  /** Whether any hook wants to see the result of a call of this tool. */
  readonly listensAfter: (request: CallRequest) => boolean;
  /** Called only where `listensAfter` says so. */
  readonly after: (call: HookedCall, outcome: ToolOutcome) => Promise<AfterReport>;
  /** The session is being left: ends what hooks have left running. */
  readonly leave: () => Promise<void>;
};
