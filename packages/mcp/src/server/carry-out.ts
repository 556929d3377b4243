import { explain, type JsonObject, type ToolCall } from '@countersign/protocol';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
} from '@modelcontextprotocol/server';
import { CallProgress, type ProgressNote } from './call-progress.js';
import { callResult, refusal } from './call-result.js';
import type { GovernedSession } from './governed-session.js';

export type AgentCall = {
  readonly name: string;
  readonly args: JsonObject;
  /** The client's name and version, as it sends them. */
  readonly client: string;
  readonly signal: AbortSignal;
  /** Null: the client did not request progress. */
  readonly onProgress: ((note: ProgressNote) => void) | null;
};

/** One call of another agent, judged, asked about and written down as every other. */
export async function carryOut(call: AgentCall, governed: GovernedSession): Promise<CallToolResult> {
  const { name, args, client, signal, onProgress } = call;
  const { session, attended, events } = governed;
  const progress = onProgress && new CallProgress(session.sessionId, onProgress);
  const stopListening =
    progress &&
    events.subscribe({
      onFact: (fact) => progress.onFact(fact),
      onLive: (live) => progress.onLive(live),
    });
  let callId: string | null = null;
  const cancel = () => {
    // A client that disconnects does not cancel: its questions stay open.
    if (callId === null || signal.reason instanceof SdkError) return;
    for (const id of withFollowUps(session.snapshot(), callId))
      void session.send({ type: 'cancel', target: { type: 'call', callId: id }, by: client });
  };
  signal.addEventListener('abort', cancel);
  try {
    const promptId = `${client}#${session.nextTurn}`;
    const over = await session.schedule([{ name, args, origin: 'client', promptId }], {
      attended,
      // The client may have sent others, which this one neither waits for nor holds back.
      whenBusy: 'join',
      onTurn: (_, [accepted = null]) => {
        callId = accepted;
        if (accepted !== null) progress?.follow(accepted);
        if (signal.aborted) cancel();
      },
    });
    if (!over.ok) return refusal(over.failure);
    const [settled] = over.calls;
    if (!settled) throw new Error('a turn of one call ended without it');
    // The protocol has an error of its own for this.
    if (settled.status === 'error' && settled.failure.code === 'tool_not_registered') {
      const { message, hint } = explain(settled.failure);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} ${hint}`);
    }
    return callResult(settled);
  } finally {
    signal.removeEventListener('abort', cancel);
    stopListening?.();
    progress?.close();
  }
}

/** The call, and what hooks had follow it. */
function withFollowUps(open: readonly ToolCall[], callId: string): ReadonlySet<string> {
  const ids = new Set([callId]);
  for (const { request } of open)
    if (request.followUp && ids.has(request.followUp.callId)) ids.add(request.callId);
  return ids;
}
