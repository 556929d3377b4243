// One bad call never harms its siblings: each ends by itself, and the model is told what to do about it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, Kind, registerBuiltInTools, Scheduler, type Tool, ToolRegistry } from 'countersign';

const careless: Tool = {
  name: 'careless',
  description: 'Throws.',
  kind: Kind.Read,
  execute: async () => {
    throw new Error('I forgot my umbrella.');
  },
};

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  await writeFile(join(workspace, 'good.txt'), 'good\n');
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  registry.registerTool(careless);
  const scheduler = new Scheduler({ toolRegistry: registry, config });
  try {
    // #region errors
    const completed = await scheduler.schedule([
      { callId: 'good', name: 'read_file', args: { file_path: 'good.txt' } },
      { callId: 'unknown', name: 'raed_file', args: { file_path: 'good.txt' } },
      { callId: 'bad-args', name: 'read_file', args: { file: 7 } },
      { callId: 'missing', name: 'read_file', args: { file_path: 'gone.txt' } },
      { callId: 'throws', name: 'careless', args: {} },
      { callId: 'good', name: 'read_file', args: { file_path: 'good.txt' } }, // an id that the batch has already
      { callId: 'also-good', name: 'list_directory', args: { dir_path: '.' } },
    ]);
    return completed.map(({ request, status, response, durationMs }) => ({
      callId: request.callId,
      status,
      durationMs,
      errorType: response.errorType, // a code to switch on
      forPeople: response.resultDisplay,
      forTheModel: response.responseParts[0]?.functionResponse?.response,
    }));
    // #endregion
  } finally {
    await scheduler.dispose();
    await rm(workspace, { recursive: true, force: true });
  }
}
