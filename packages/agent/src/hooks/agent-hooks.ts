import type { HookEvent, HookPayloads, HookReport } from '@countersign/hooks';
import type { Failure } from '@countersign/protocol';

/** The events of hooks that are about the agent, not about one call. */
export type AgentHookEvent = Exclude<HookEvent, 'BeforeTool' | 'AfterTool'>;

export type AgentHooks = {
  /** Whether anything is set up for an event. */
  readonly listens: (event: AgentHookEvent) => boolean;
  /** Runs what is set up for an event. What goes wrong with a hook is part of the report. */
  readonly run: <E extends AgentHookEvent>(
    event: E,
    payload: HookPayloads[E],
    signal: AbortSignal,
  ) => Promise<HookReport>;
};

export const NO_HOOKS: AgentHooks = {
  listens: () => false,
  run: (event) => Promise.reject(new Error(`nothing listens to ${event}`)),
};

/** The same hooks; their messages to the user are emitted. */
export const emittingMessages = ({ listens, run }: AgentHooks, emit: (text: string) => void): AgentHooks => ({
  listens,
  run: async (event, payload, signal) => {
    const report = await run(event, payload, signal);
    if (report.systemMessage !== null) emit(report.systemMessage);
    return report;
  },
});

/** Why what an event announced is not to happen; null if nothing stands in its way. */
export const refusalIn = ({ event, verdict }: HookReport): Failure | null =>
  verdict.type === 'deny' || verdict.type === 'stop'
    ? { code: 'hook_denied', hook: event, reason: verdict.reason }
    : null;

/** Whether a hook for AfterAgent wants the model to forget the conversation (`clearContext`). */
export const wantsClearContext = ({ runs }: HookReport): boolean =>
  runs.some(({ outcome }) => outcome.type === 'answered' && outcome.answer.other['clearContext'] === true);

/** What a hook adds to a prompt, marked as such, so that the model does not take it for words of the person. */
export const contextPart = (context: string) => ({
  text: `<hook_context>${context.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</hook_context>`,
});

/** Why an answer ended that a hook gave in place of the model: it used no tokens, and that is known. */
export const SAID_BY_HOOK = 'HOOK';
