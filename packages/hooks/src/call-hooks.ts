import type { AfterReport, BeforeReport, CallHooks, HookedCall } from '@countersign/engine';
import type { HostEnvironment } from '@countersign/host';
import type { HookAdvice, HookNote } from '@countersign/protocol';
import { afterReport, toolResponse } from './after-report.js';
import type { HookEvent, ToolFields } from './hook/events.js';
import type { HookDefinition, HookRun } from './hook/hook.js';
import { type HookReport, hookNames } from './run/combine.js';
import { describeFailure, shortNameOf } from './run/describe-failure.js';
import type { HookContext } from './run/hook-context.js';
import { runHooks } from './run/run-hooks.js';
import { isFor } from './run/select-hooks.js';
import type { TrustedHooks } from './trust/doubts.js';

export type CallHooksOptions = {
  /** Those in force. */
  readonly hooks: readonly HookDefinition[];
  readonly trusted: TrustedHooks;
  readonly environment: HostEnvironment;
  /** Names of variables that hooks get although they look like secrets. */
  readonly pass: readonly string[];
  readonly plansDirectory: string;
  /** What else a tool is called. Absent: nothing. */
  readonly aliasesOf?: (tool: string) => readonly string[];
  /** Receives the messages of hooks for the user. */
  readonly onMessage: (text: string) => void;
};

/** The hooks of settings as the engine runs them around a call. */
export function callHooks({ onMessage, ...options }: CallHooksOptions): CallHooks {
  const lingering = new Set<Promise<void>>();
  const linger = (work: Promise<void>) => {
    const kept = work.finally(() => lingering.delete(kept));
    lingering.add(kept);
  };
  const contextOf = ({ sessionId, workspace, signal }: HookedCall): HookContext => ({
    ...options,
    sessionId,
    workspace,
    signal,
    // No file holds the conversation: what happened is in the journal.
    transcriptPath: '',
    lingering: linger,
  });
  const reported = async (running: Promise<HookReport>): Promise<HookReport> => {
    const report = await running;
    if (report.systemMessage !== null) onMessage(report.systemMessage);
    return report;
  };
  const isHooked = lookup(options);

  return {
    before: (call) =>
      isHooked('BeforeTool', call.request.name)
        ? reported(runHooks('BeforeTool', fieldsOf(call), contextOf(call))).then(beforeReport, brokenBefore)
        : null,
    listensAfter: ({ name }) => isHooked('AfterTool', name),
    after: (call, outcome) => {
      const payload = { ...fieldsOf(call), tool_response: toolResponse(outcome) };
      return reported(runHooks('AfterTool', payload, contextOf(call))).then(
        (report) => ({ ...afterReport(report, outcome), notes: notesOf(report) }),
        brokenAfter,
      );
    },
    leave: async () => {
      await Promise.allSettled(lingering);
    },
  };
}

/** The names of hooks that would be asked before a call of this tool. */
export const hooksBefore = (
  tool: string,
  { hooks, aliasesOf }: Pick<CallHooksOptions, 'hooks' | 'aliasesOf'>,
): readonly string[] =>
  hooks
    .filter(({ event, matcher }) => event === 'BeforeTool' && isFor(matcher, tool, aliasesOf))
    .map(shortNameOf);

/** Whether any hook is for a tool, found out once for each: most calls have none, and should not pay for those that do. */
function lookup({
  hooks,
  aliasesOf,
}: Pick<CallHooksOptions, 'hooks' | 'aliasesOf'>): (event: HookEvent, tool: string) => boolean {
  const known = new Map<HookEvent, Map<string, boolean>>();
  for (const { event } of hooks) known.set(event, new Map());
  return (event, tool) => {
    const answers = known.get(event);
    if (answers === undefined) return false;
    const answer = answers.get(tool);
    if (answer !== undefined) return answer;
    const anyIsFor = hooks.some((hook) => hook.event === event && isFor(hook.matcher, tool, aliasesOf));
    answers.set(tool, anyIsFor);
    return anyIsFor;
  };
}

function fieldsOf({ request, plan }: HookedCall): ToolFields {
  const mcp = plan.resources.find((resource) => resource.kind === 'mcp');
  return {
    tool_name: request.name,
    tool_input: request.args,
    ...(mcp && { mcp_context: { server_name: mcp.server, tool_name: mcp.tool } }),
    ...(request.followUp && { original_request_name: request.followUp.name }),
  };
}

const beforeReport = (report: HookReport): BeforeReport => ({
  advice: adviceOf(report),
  args: report.toolInput,
  notes: notesOf(report),
});

function adviceOf(report: HookReport): HookAdvice | null {
  const { verdict } = report;
  if (verdict.type === 'none') return null;
  const decision = verdict.type === 'stop' ? 'deny' : verdict.type;
  return { decision, by: hookNames(report), reason: verdict.reason };
}

const notesOf = ({ runs }: HookReport): readonly HookNote[] =>
  runs.map(({ hook, outcome, durationMs }) => ({
    hook: shortNameOf(hook),
    source: `${hook.file}: ${hook.path}`,
    durationMs,
    ...saidIn(outcome),
  }));

function saidIn(outcome: HookRun['outcome']): Pick<HookNote, 'said' | 'reason'> {
  if (outcome.type === 'failed') return { said: 'failed', reason: describeFailure(outcome.failure) };
  const { stop, decision, reason, suppressOutput } = outcome.answer;
  const said = stop === null ? (decision ?? 'nothing') : 'stop';
  return { said, reason: suppressOutput ? null : (stop?.reason ?? reason) };
}

/** If anything fails in here, the call was not checked: it does not continue as if it had been. */
const brokenBefore = (thrown: unknown): BeforeReport => ({
  advice: { decision: 'deny', by: 'hooks', reason: notRunReason(thrown) },
  args: null,
  notes: [],
});

const brokenAfter = (thrown: unknown): AfterReport => ({
  outcome: {
    ok: false,
    failure: {
      code: 'hook_denied',
      hook: 'hooks',
      reason: `The tool ran. Its result is withheld: ${notRunReason(thrown)}`,
    },
    partial: { output: '', mayHaveHappened: true },
  },
  tailCall: null,
  notes: [],
});

const notRunReason = (thrown: unknown) =>
  `The hooks for this call could not be run: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
