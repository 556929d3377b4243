// Figures over several batches, and a record of every completed call.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Config,
  PerformanceTracker,
  registerBuiltInTools,
  Scheduler,
  type ToolCallEvent,
  ToolRegistry,
} from 'countersign';

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  await writeFile(join(workspace, 'a.txt'), 'alpha\n');

  // #region performance
  const tracker = new PerformanceTracker();
  const records: ToolCallEvent[] = [];
  const config = new Config({
    targetDir: workspace,
    onToolCallRecord: (record) => {
      records.push(record); // one for each completed call, whatever its status; what looks secret is hidden
    },
  });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    onAllToolCallsComplete: tracker.handler,
    confirmHandler: async () => 'cancel',
  });
  // #endregion

  const read = (callId: string, file_path: string) => ({ callId, name: 'read_file', args: { file_path } });
  const completed = [
    ...(await scheduler.schedule([read('1', 'a.txt'), read('2', 'a.txt')])),
    ...(await scheduler.schedule({ ...read('3', 'gone.txt'), prompt_id: 'prompt-7' })),
    ...(await scheduler.schedule({
      callId: '4',
      name: 'write_file',
      args: { file_path: 'b.txt', content: 'b\n' },
    })),
  ];
  await scheduler.dispose();
  await rm(workspace, { recursive: true, force: true });
  const { totalCalls, averageDuration, successRate } = tracker;
  return { totalCalls, averageDuration, successRate, records, completed };
}
