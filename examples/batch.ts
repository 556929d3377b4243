// A batch of calls: they run in parallel where they cannot conflict, every status is shown, and the completed calls
// come back in the order they were asked for.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApprovalMode,
  type CompletedToolCall,
  Config,
  CoreToolScheduler,
  defineTool,
  Kind,
  read,
  registerBuiltInTools,
  type ToolCall,
  ToolRegistry,
} from 'countersign';
import * as z from 'zod';

// #region word-count
const wordCount = defineTool({
  name: 'word_count',
  displayName: 'Word count',
  description: 'Count the words in a file.',
  kind: Kind.Read,
  input: z.object({ file_path: z.string().describe('From the workspace') }),
  plan: ({ file_path }, { resolve }) => ({
    title: `Count the words in ${file_path}`,
    resources: [read(resolve(file_path))],
    repeat: 'safe',
  }),
  run: async ({ file_path }, { readText }) => {
    const words = (await readText(file_path)).split(/\s+/).filter(Boolean).length;
    return { llmContent: `${words} words`, returnDisplay: `Counted ${words} words` };
  },
});
// #endregion

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  try {
    await writeFile(join(workspace, 'a.txt'), 'alpha\n');
    return await runBatch(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function runBatch(workspace: string) {
  /** What the program heard, in order. */
  const heard: string[] = [];

  // #region batch
  const config = new Config({
    targetDir: workspace,
    approvalMode: ApprovalMode.AUTO_EDIT, // edits inside the workspace do not ask
    onToolCallRecord: ({ call_id, status }) => {
      heard.push(`record ${call_id} ${status}`);
    },
  });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  registry.registerTool(wordCount);

  const scheduler = new CoreToolScheduler({
    toolRegistry: Promise.resolve(registry),
    config,
    onToolCallsUpdate: (calls) => heard.push(`update ${draw(calls)}`),
    onAllToolCallsComplete: (completed) => {
      heard.push(`complete ${draw(completed)}`);
    },
    resolveWhen: 'completed', // default: `schedule` resolves as soon as every call was asked about or scheduled
  });
  const controller = new AbortController();
  const completed = await scheduler.schedule(
    [
      { callId: 'read', name: 'read_file', args: { file_path: 'a.txt' } },
      { callId: 'count', name: 'word_count', args: { file_path: 'a.txt' } },
      // These two touch one file, so that they keep their order: what was written is what is read.
      { callId: 'write', name: 'write_file', args: { file_path: 'b.txt', content: 'beta\n' } },
      { callId: 'read-again', name: 'read_file', args: { file_path: 'b.txt' } },
    ],
    controller.signal,
  );
  heard.push('schedule resolved');
  await scheduler.dispose();
  // #endregion

  return { heard, completed };
}

const draw = (calls: readonly (ToolCall | CompletedToolCall)[]) =>
  calls.map(({ request, status }) => `${request.callId}:${status}`).join(' ') || '(nothing)';
