// A question outlives the process that asked it. The first scheduler stands for a program that is closed or killed, the
// second for the program that is started afterwards.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Config,
  CoreToolScheduler,
  PersistentToolScheduler,
  registerBuiltInTools,
  sqlite,
  ToolConfirmationOutcome,
  ToolRegistry,
} from 'countersign';

export async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const workspace = join(directory, 'workspace');
  try {
    await mkdir(workspace);
    const before = await leaveAQuestion(workspace, directory);
    const after = await goOn(workspace, directory);
    const snapshot = await keepASnapshot(workspace, directory);
    return { before, after, snapshot, written: await readFile(join(workspace, 'a.txt'), 'utf8') };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// #region open
export function openScheduler(workspace: string, store: string) {
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  return new CoreToolScheduler({
    toolRegistry: registry,
    config,
    journal: sqlite(join(store, 'countersign.db')), // outside the workspace: no tool reaches it
    sessionId: 'my-session', // the same one after a restart
  });
}
// #endregion

async function leaveAQuestion(workspace: string, store: string) {
  const scheduler = openScheduler(workspace, store);
  await scheduler.schedule({
    callId: 'w',
    name: 'write_file',
    args: { file_path: 'a.txt', content: 'alpha\n' },
  });
  const waiting = await scheduler.pending();
  await scheduler.dispose(); // what waits in a kept session stays there
  return waiting;
}

async function goOn(workspace: string, store: string) {
  // #region go-on
  const scheduler = openScheduler(workspace, store);
  const waiting = await scheduler.pending(); // the same questions, with the same ids and digests
  const resumed = scheduler.resume(); // resolves when everything that was left open has ended
  for (const { confirmationDetails } of waiting) {
    await confirmationDetails.onConfirm(ToolConfirmationOutcome.ProceedOnce);
  }
  const completed = await resumed;
  await scheduler.dispose();
  // #endregion
  return { waiting, completed };
}

/** A file that says how things stood, for people and other programs to look at. It cannot be resumed from. */
async function keepASnapshot(workspace: string, store: string) {
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  // #region snapshot
  const scheduler = new PersistentToolScheduler(
    { toolRegistry: registry, config },
    join(store, 'calls.json'),
  );
  await scheduler.schedule({
    callId: 'w',
    name: 'write_file',
    args: { file_path: 'b.txt', content: 'beta\n' },
  });
  const snapshot = scheduler.loadSnapshot();
  // #endregion
  await scheduler.dispose();
  return snapshot;
}
