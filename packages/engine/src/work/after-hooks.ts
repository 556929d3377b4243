import { join } from 'node:path';
import type { NewCall } from '@countersign/kernel';
import type { CallRequest, ExecutingCall, TailCall, ToolOutcome } from '@countersign/protocol';
import { LazyAbort } from '../limits/lazy-abort.js';
import { readBatch } from '../planning/requests.js';
import type { AfterReport } from '../tool/call-hooks.js';
import { cutOutcome } from './cut-output.js';
import type { Job, WorkOptions } from './work.js';

const NOTHING_SAID: AfterReport = { outcome: null, tailCall: null, notes: [] };

/** Passes the result of a call to hooks. Reports exactly once, also for hooks that do not end when signalled. */
export function startHooks(call: ExecutingCall, options: WorkOptions): Job {
  const { request, attempt } = call;
  const abort = new LazyAbort();
  let cancelTimer: (() => void) | null = null;
  let isOver = false;
  const end = async (report: AfterReport) => {
    if (isOver) return;
    isOver = true;
    cancelTimer?.();
    const { tailCall, notes } = report;
    const followUp = tailCall && asNewCall(tailCall, request, options);
    options.hooked(request, attempt, { outcome: await cut(report.outcome), followUp, notes });
  };
  const cut = async (outcome: ToolOutcome | null) =>
    outcome &&
    cutOutcome(outcome, join(options.kept.of(request, attempt), 'hooked'), options.limits.outputCharsMax);
  const stop = () => {
    if (isOver || cancelTimer) return;
    cancelTimer = options.timer(options.limits.stopGraceMs, () => void end(NOTHING_SAID));
    abort.abort();
  };
  const abandon = () => {
    isOver = true;
    cancelTimer?.();
    abort.abort();
  };
  void look(call, options, abort).then(end);
  if (call.aborting) stop();
  return { turn: request.turn, stamp: attempt, kind: 'run-hooks', stop, abandon };
}

async function look(call: ExecutingCall, options: WorkOptions, abort: LazyAbort): Promise<AfterReport> {
  const { hooks, sessionId, workspace } = options;
  const { request, plan, finished } = call;
  // Another process may have had hooks where this one has none.
  if (!hooks?.listensAfter(request) || !finished || call.aborting) return NOTHING_SAID;
  return hooks.after({ sessionId, workspace, request, plan, signal: abort.signal }, finished);
}

/** It goes to the model in place of the call that it follows, so it has that one's id on the wire. */
function asNewCall(
  { name, args }: TailCall,
  { wireId, origin, promptId }: CallRequest,
  { tools, now }: WorkOptions,
): NewCall | null {
  return readBatch([{ callId: wireId, name, args, origin, promptId }], tools, now())[0] ?? null;
}
