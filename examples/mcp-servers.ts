// Tools of MCP servers: started, registered, asked about and called like any other, and ended with the program.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Config, DiscoveredMCPTool, McpClientManager, Scheduler, ToolRegistry } from 'countersign';

/** The public file server, as `npm install @modelcontextprotocol/server-filesystem` brings it. */
const FILE_SERVER = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

export async function main() {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'countersign-example-')));
  try {
    return await withServers(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function withServers(workspace: string) {
  // #region mcp
  const config = new Config({
    targetDir: workspace,
    mcpServers: {
      files: { command: process.execPath, args: [FILE_SERVER, workspace] },
      broken: { command: 'sh', args: ['-c', 'exit 3'] },
    },
  });
  const registry = new ToolRegistry(config);
  const manager = new McpClientManager(registry, config);
  await manager.startConfiguredMcpServers(); // never rejects because of a server

  const asked: string[] = [];
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    confirmHandler: async ({ confirmationDetails }) => {
      asked.push(confirmationDetails.title);
      return 'proceed_once';
    },
  });
  const path = join(workspace, 'a.txt');
  const completed = await scheduler.schedule([
    { callId: 'write', name: 'mcp_files_write_file', args: { path, content: 'hello\n' } },
    { callId: 'never', name: 'mcp_broken_anything', args: {} },
  ]);

  // A program that decides itself: `execute` is its consent to this one call. Policy may still deny it.
  const read = registry.getTool('mcp_files_read_text_file');
  const { signal } = new AbortController();
  const text = read instanceof DiscoveredMCPTool ? await read.execute({ path }, signal) : null;

  const problem = manager.getLastError('broken');
  await scheduler.dispose();
  await manager.stop(); // ends the servers and takes their tools out
  // #endregion
  return {
    asked,
    ended: completed.map(({ status, response }) => [status, response.errorType]),
    written: await readFile(path, 'utf8'),
    shown: text?.returnDisplay,
    problem,
    left: registry.getAllToolNames(),
  };
}
