// A limit over everything, waiting for a person included: what is not over by then is cancelled.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Config,
  Kind,
  ManagedToolScheduler,
  registerBuiltInTools,
  type Tool,
  ToolRegistry,
} from 'countersign';

const sleepFor: Tool<{ ms: number }> = {
  name: 'sleep_for',
  description: 'Sleeps.',
  kind: Kind.Think,
  schema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  execute: async ({ ms }, signal) => {
    await sleep(ms, undefined, { signal });
    return { llmContent: 'Slept.', returnDisplay: 'Slept.' };
  },
};

export async function main(timeoutMs = 200) {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  registry.registerTool(sleepFor);

  // #region time-out
  const scheduler = new ManagedToolScheduler({ toolRegistry: registry, config });
  const completed = await scheduler.scheduleWithTimeout(
    [
      { callId: 'quick', name: 'sleep_for', args: { ms: 1 } },
      { callId: 'slow', name: 'sleep_for', args: { ms: 60_000 } },
      { callId: 'unanswered', name: 'write_file', args: { file_path: 'a.txt', content: 'a\n' } },
    ],
    timeoutMs, // default: 30 seconds
  );
  await scheduler.dispose();
  // #endregion

  await rm(workspace, { recursive: true, force: true });
  return completed;
}
