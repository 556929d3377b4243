import {
  type AwaitingCall,
  type CallRequest,
  isSettled,
  type ToolCall as KernelCall,
  type Live,
  type SettledCall,
} from '@countersign/protocol';
import type { AnyTool } from '../types/any-tool.js';
import type { CompletedToolCall, ToolCall, ToolCallRequestInfo } from '../types/call-types.js';
import type { ToolConfirmationOutcome } from '../types/enums.js';
import type { OnConfirm, ToolCallConfirmationDetails } from '../types/tool-types.js';
import { responseInfoOf } from '../wires/function-response.js';

/** What a view needs to know besides the call itself. */
export type Viewing = {
  /** The tool that a call is of, also when it is no longer registered. */
  readonly toolOf: (request: Pick<CallRequest, 'callId' | 'name'>) => AnyTool | undefined;
  readonly onConfirm: (call: AwaitingCall) => OnConfirm;
  readonly isModifying: (callId: string) => boolean;
  readonly noticeOf: (callId: string) => string | undefined;
  /** When a person was first asked about a call of an open batch. */
  readonly askedAt: (callId: string) => number | undefined;
};

/** A call of the engine as the library shows it: frozen, and `JSON.stringify` gives the tool as its name. */
export function viewOf(
  call: KernelCall,
  live: Live | undefined,
  viewing: Viewing,
  before?: ToolCall,
): ToolCall {
  if (isSettled(call)) return completedView(call, viewing, before);
  const request = requestOf(call, before);
  const tool = viewing.toolOf(call.request) ?? standIn(call.request.name);
  const common = { request, tool, startTime: call.request.at };
  switch (call.status) {
    case 'validating':
      return freeze({ status: 'validating', ...common });
    case 'awaiting_approval':
      return freeze({
        status: 'awaiting_approval',
        ...common,
        confirmationDetails: detailsOf(call, viewing),
      });
    case 'scheduled':
      return freeze({ status: 'scheduled', ...common, ...outcomeOf(call) });
    case 'executing':
      return freeze({
        status: 'executing',
        ...common,
        startTime: call.startedAt,
        ...outcomeOf(call),
        ...liveOf(live),
      });
  }
}

export function completedView(
  call: SettledCall,
  viewing: Pick<Viewing, 'toolOf' | 'askedAt'>,
  before?: ToolCall,
): CompletedToolCall {
  const request = requestOf(call, before);
  const tool = viewing.toolOf(call.request);
  const durationMs = call.startedAt === null ? 0 : Math.max(0, call.endedAt - call.startedAt);
  const common = {
    request,
    startTime: call.startedAt ?? call.request.at,
    response: responseInfoOf(call),
    durationMs,
    ...outcomeOf(call),
    ...decisionOf(call, viewing.askedAt(call.request.callId)),
    ...(call.request.revision > 0 && { modified: true }),
  };
  if (call.status === 'error') return freeze({ status: 'error', ...common, ...(tool && { tool }) });
  return freeze({ status: call.status, ...common, tool: tool ?? standIn(call.request.name) });
}

/** For a call that an earlier process left behind, of a tool that this one does not have. */
const standIn = (name: string): AnyTool => ({
  name,
  description: 'The tool is not registered.',
  execute: () => Promise.reject(new Error(`${name} is not registered`)),
});

/** The same object as long as the call is the same: it is shown in every snapshot. */
function requestOf({ request }: KernelCall, before?: ToolCall): ToolCallRequestInfo {
  if (before?.request.args === request.args) return before.request;
  return {
    callId: request.wireId,
    name: request.name,
    args: request.args,
    isClientInitiated: request.origin !== 'model',
    prompt_id: request.promptId,
  };
}

function detailsOf(call: AwaitingCall, viewing: Viewing): ToolCallConfirmationDetails {
  const { callId } = call.request;
  const { confirmation, digest, offers } = call.question;
  const notice = viewing.noticeOf(callId);
  return Object.freeze({
    ...confirmation,
    digest,
    outcomes: offers,
    reason: call.verdict.reason,
    isModifying: viewing.isModifying(callId) || call.step === 'replanning',
    ...(notice !== undefined && { notice }),
    onConfirm: viewing.onConfirm(call),
  });
}

const outcomeOf = (call: KernelCall): { readonly outcome?: ToolConfirmationOutcome } | null =>
  'answer' in call && call.answer ? { outcome: call.answer.outcome } : null;

/** Who or what let it run, or stopped it, and how long a person was waited for: for records. */
function decisionOf(
  call: SettledCall,
  askedAt = call.request.at,
): { readonly decidedBy?: string; readonly waitedMs?: number } {
  if (call.answer) return { decidedBy: call.answer.by, waitedMs: Math.max(0, call.answer.at - askedAt) };
  if (call.status !== 'success') return {};
  const { by } = call.permit;
  switch (by.type) {
    case 'policy':
      return { decidedBy: by.rule ? `${by.rule.file}:${by.rule.line}` : 'policy' };
    case 'hook':
      return { decidedBy: `hook ${by.hook}` };
    case 'grant':
      return { decidedBy: by.grantId };
    case 'person':
      return { decidedBy: by.who };
  }
}

function liveOf(live: Live | undefined) {
  if (!live) return {};
  const { output, progress, pid } = live;
  return {
    ...(output !== undefined && { liveOutput: output }),
    ...(progress && { progress: progress.done }),
    ...(progress?.total !== undefined && { progressTotal: progress.total }),
    ...(progress?.message !== undefined && { progressMessage: progress.message }),
    ...(pid !== undefined && { pid }),
  };
}

/** Its one method is shared by all views, so that it is no field of theirs. */
class View {
  constructor(fields: object) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  toJSON(this: { readonly tool?: AnyTool }): object {
    const { tool, ...fields } = this;
    return tool ? { ...fields, tool: tool.name } : fields;
  }
}

function freeze<T extends object>(fields: T): T {
  return new View(fields) as unknown as T;
}
