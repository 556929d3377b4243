// Everything that an agent's loop needs of this library, in twenty lines.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// #region embed
import { Config, registerBuiltInTools, Scheduler, type ToolCallRequestInfo, ToolRegistry } from 'countersign';

type Ask = (question: string) => Promise<boolean>;

export async function runCalls(workspace: string, calls: ToolCallRequestInfo[], ask: Ask) {
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config); // read_file, write_file, list_directory …
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    confirmHandler: async ({ confirmationDetails }) =>
      (await ask(confirmationDetails.title)) ? 'proceed_once' : 'cancel',
  });
  try {
    const completed = await scheduler.schedule(calls); // in request order, failed ones included
    return completed.flatMap(({ response }) => response.responseParts); // what goes back to the model
  } finally {
    await scheduler.dispose();
  }
}

// #endregion

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const asked: string[] = [];
  try {
    await writeFile(join(workspace, 'poem.txt'), 'Trust is a fine thing.\n');
    const parts = await runCalls(
      workspace,
      [
        { callId: 'a', name: 'read_file', args: { file_path: 'poem.txt' } },
        { callId: 'b', name: 'write_file', args: { file_path: 'answer.txt', content: 'So is a log.\n' } },
      ],
      async (question) => {
        asked.push(question);
        return true;
      },
    );
    return { asked, parts };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
