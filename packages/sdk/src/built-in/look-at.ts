import type { PlanDraft, Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import type { Config } from '../config/config.js';

const NEVER = new AbortController().signal;

/** What a call would do. A plan only looks; nothing of it is kept. */
export async function lookAt(
  tool: Tool,
  args: JsonObject,
  config: Config,
  signal: AbortSignal = NEVER,
): Promise<PlanDraft> {
  return tool.plan(args, {
    sessionId: '',
    callId: '',
    workspace: config.getTargetDir(),
    signal,
    wasRead: () => false,
    earlier: () => Promise.resolve(null),
    needs: [],
  });
}
