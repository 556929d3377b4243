// A tool that tells how far it is, and a call that is cancelled while it runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config, defineTool, Kind, Scheduler, ToolRegistry } from 'countersign';
import * as z from 'zod';

// #region live-tool
const countUp = defineTool({
  name: 'count_up',
  displayName: 'Count up',
  description: 'Counts to a number, slowly.',
  kind: Kind.Think,
  input: z.object({ to: z.number().int() }),
  canUpdateOutput: true,
  plan: ({ to }) => ({ title: `Count to ${to}`, resources: [], repeat: 'safe' }),
  run: async ({ to }, { updateOutput, progress, signal }) => {
    const lines: string[] = [];
    for (let n = 1; n <= to; n++) {
      lines.push(`${n}`);
      updateOutput(lines.join('\n')); // the whole display, not what is new in it
      progress(n, to, `at ${n}`);
      await sleep(STEP_MS, undefined, { signal }); // rejects when the call is cancelled
    }
    return { llmContent: `Counted to ${to}.`, returnDisplay: lines.join(' ') };
  },
});
// #endregion

const STEP_MS = 20;

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registry.registerTool(countUp);

  const outputs: string[] = [];
  const progress: string[] = [];
  const scheduler: Scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    outputUpdateHandler: (callId, text) => {
      outputs.push(`${callId}: ${text}`);
      if (callId === 'endless' && text.endsWith('2')) void scheduler.cancel('endless');
    },
    onToolCallsUpdate: (calls) => {
      for (const call of calls) {
        if (call.status !== 'executing' || call.progress === undefined) continue;
        progress.push(`${call.progress}/${call.progressTotal} ${call.progressMessage}: ${call.liveOutput}`);
      }
    },
  });
  try {
    const [counted] = await scheduler.schedule({ callId: 'short', name: 'count_up', args: { to: 3 } });
    const [stopped] = await scheduler.schedule({ callId: 'endless', name: 'count_up', args: { to: 10_000 } });
    return { outputs, progress, counted, stopped };
  } finally {
    await scheduler.dispose();
    await rm(workspace, { recursive: true, force: true });
  }
}
