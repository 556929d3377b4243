import { setMaxListeners } from 'node:events';
import { endTree } from '@countersign/host';
import type { HookEvent, HookPayloads } from '../hook/events.js';
import type { HookDefinition, HookRun } from '../hook/hook.js';
import { combine, type HookReport, rewritten } from './combine.js';
import type { HookContext } from './hook-context.js';
import { runHook } from './run-hook.js';
import { selectHooks } from './select-hooks.js';

/** Runs every hook of the event, and returns their combined result. */
export async function runHooks<E extends HookEvent>(
  event: E,
  payload: HookPayloads[E],
  context: HookContext,
): Promise<HookReport> {
  const { hooks, sequential } = selectHooks(event, payload, context);
  const { sessionId, transcriptPath, workspace } = context;
  const common = { session_id: sessionId, transcript_path: transcriptPath, cwd: workspace };
  const occasion = { ...common, hook_event_name: event, timestamp: new Date().toISOString() };
  const stopped: string[] = [];
  const runs = await withSignalOfItsOwn(context.signal, async (signal) => {
    const run = (hook: HookDefinition, fields: HookPayloads[E]) =>
      runHook(hook, { ...occasion, ...fields }, { ...context, signal }, (tag) => stopped.push(tag));
    if (!sequential) return Promise.all(hooks.map((hook) => run(hook, payload)));
    const soFar: HookRun[] = [];
    for (const hook of hooks) soFar.push(await run(hook, afterRewrites(event, payload, soFar)));
    return soFar;
  });
  if (stopped.length > 0) context.lingering(endEscaped(stopped));
  return combine(event, payload, runs);
}

/** Any number of hooks may listen to this signal; the given one warns of more than ten. */
async function withSignalOfItsOwn<T>(
  given: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const pass = () => own.abort();
  if (given.aborted) pass();
  given.addEventListener('abort', pass, { once: true });
  try {
    return await work(own.signal);
  } finally {
    given.removeEventListener('abort', pass);
  }
}

/**
 * Processes that left the group of a stopped hook are found by its tag. That means looking at every process, which
 * takes longer than a time limit may be overrun; so it is done afterwards, for one hook after the other.
 */
async function endEscaped(tags: readonly string[]): Promise<void> {
  for (const tag of tags) await endTree({ tag, leader: null });
}

/** Each hook sees the arguments as the earlier ones have changed them. */
function afterRewrites<E extends HookEvent>(
  event: E,
  payload: HookPayloads[E],
  runs: readonly HookRun[],
): HookPayloads[E] {
  if (event !== 'BeforeTool' || !('tool_input' in payload)) return payload;
  return { ...payload, tool_input: rewritten(payload.tool_input, runs) };
}
