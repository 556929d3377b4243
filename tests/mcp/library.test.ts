import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/protocol';
import {
  Config,
  type ConfigParameters,
  DiscoveredMCPTool,
  isModifiableTool,
  MCPDiscoveryState,
  MCPServerStatus,
  McpClientManager,
  PolicyEngine,
  Scheduler,
  type ToolConfirmationOutcome,
  ToolRegistry,
  type WaitingToolCall,
} from '@countersign/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let workspace: string;
let stopping: (() => Promise<void>)[];
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-library-mcp-')));
  stopping = [];
});
afterEach(async () => {
  for (const stop of stopping) await stop();
  rmSync(workspace, { recursive: true, force: true });
});

const { signal } = new AbortController();
const FAULTY = fileURLToPath(new URL('faulty-server.mjs', import.meta.url));
const faulty = (script: object = {}) => ({
  command: process.execPath,
  args: [FAULTY, JSON.stringify(script)],
});
const publicServer = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [
    fileURLToPath(
      new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
    ),
    ...args,
  ],
});

async function started(parameters: ConfigParameters, emitter?: EventEmitter) {
  const config = new Config({ targetDir: workspace, ...parameters });
  const registry = new ToolRegistry(config);
  const manager = new McpClientManager(registry, config, emitter);
  stopping.push(() => manager.stop());
  await manager.startConfiguredMcpServers();
  const tool = (name: string) => {
    const found = registry.getTool(name);
    if (!(found instanceof DiscoveredMCPTool)) throw new Error(`${name} is not a tool of a server`);
    return found;
  };
  const asked: WaitingToolCall[] = [];
  const call = async (name: string, args: JsonObject, outcome: ToolConfirmationOutcome = 'proceed_once') => {
    const scheduler = new Scheduler({
      toolRegistry: registry,
      config,
      confirmHandler: async (waiting) => {
        asked.push(waiting);
        return outcome;
      },
    });
    const [completed] = await scheduler.schedule({ callId: 'a', name, args }, signal);
    await scheduler.dispose();
    if (!completed) throw new Error('nothing was completed');
    return completed;
  };
  return { config, registry, manager, tool, asked, call };
}

describe('the library has the tools of MCP servers [E2] [M1]', () => {
  test('a public server is started, its tools are registered, asked about, run, and taken out at the end', async () => {
    const settings = publicServer('filesystem', workspace);
    const { manager, registry, tool, asked, call } = await started({ mcpServers: { files: settings } });
    expect(manager.getClient('files')?.getStatus()).toBe(MCPServerStatus.CONNECTED);
    expect(manager.getDiscoveryState()).toBe(MCPDiscoveryState.COMPLETED);
    expect([manager.getMcpServers(), manager.getMcpServerCount()]).toEqual([{ files: settings }, 1]);
    expect(manager.getLastError('files')).toBeUndefined();

    const write = tool('mcp_files_write_file');
    expect(write).toMatchObject({ serverName: 'files', serverToolName: 'write_file', mcpServer: 'files' });
    expect(write.schema).toMatchObject({
      name: 'mcp_files_write_file',
      parametersJsonSchema: { type: 'object' },
    });
    expect(registry.getFunctionDeclarations().map(({ name }) => name)).toContain('mcp_files_write_file');
    expect(registry.getToolsByServer('files')).toContain(write);
    expect(isModifiableTool(write)).toBe(false);

    const path = join(workspace, 'a.txt');
    const done = await call('mcp_files_write_file', { path, content: 'new' });
    expect(done).toMatchObject({ status: 'success', outcome: 'proceed_once' });
    expect(asked[0]?.confirmationDetails).toMatchObject({ type: 'mcp', serverName: 'files' });
    expect(readFileSync(path, 'utf8')).toBe('new');

    await manager.stop();
    expect(registry.getAllToolNames()).toEqual([]);
    expect(manager.getMcpServerCount()).toBe(0);
    await manager.startConfiguredMcpServers();
    expect(registry.getAllToolNames()).toContain('mcp_files_write_file');
  });

  test('a program that calls a tool itself has build, validateToolParams, shouldConfirmExecute and execute', async () => {
    const { tool } = await started({ mcpServers: { sums: faulty() } });
    const add = tool('mcp_sums_add');
    expect(add.validateToolParams({ a: 1, b: 2 })).toBeNull();
    expect(add.validateToolParams({ a: 'one', b: 2 })).toContain('"a" must be a number');
    expect(() => add.build({})).toThrow('"a"');
    const invocation = add.build({ a: 1, b: 2 });
    expect(invocation.params).toEqual({ a: 1, b: 2 });
    expect(await invocation.shouldConfirmExecute(signal)).toMatchObject({ type: 'mcp', toolName: 'add' });
    expect(await invocation.execute(signal)).toMatchObject({ returnDisplay: '3' });
    expect(await add.execute({ a: 2, b: 3 }, signal)).toMatchObject({ returnDisplay: '5' });
  });

  test('a tool object that outlives its server reports that the server was stopped, built before or after [M2]', async () => {
    const { tool, manager } = await started({ mcpServers: { sums: faulty() } });
    const add = tool('mcp_sums_add');
    const built = add.build({ a: 1, b: 2 });
    await built.shouldConfirmExecute(signal);
    await manager.stop();
    const stopped = 'The MCP server "sums" cannot be used now: it was stopped.';
    for (const invocation of [built, add.build({ a: 1, b: 2 })]) {
      const result = await invocation.execute(signal);
      expect(result.error).toMatchObject({ message: expect.stringContaining(stopped) });
    }
  });

  test('policy judges them as any call: rules by server and by name, a trusted server, a no [P2]', async () => {
    const policyEngine = new PolicyEngine({
      rules: [
        { toolName: '*', mcpName: 'denied', decision: 'deny' },
        { toolName: 'mcp_allowed_add', decision: 'allow' },
      ],
    });
    const trusting = { ...faulty(), trust: true };
    const mcpServers = { denied: faulty(), allowed: faulty(), asking: faulty(), trusting };
    const { tool, call, asked, registry } = await started({ policyEngine, mcpServers });
    const args = { a: 1, b: 2 };
    expect(await call('mcp_denied_add', args)).toMatchObject({ response: { errorType: 'policy_violation' } });
    expect(registry.getFunctionDeclarations().map(({ name }) => name)).not.toContain('mcp_denied_add');
    expect(await call('mcp_allowed_add', args)).toMatchObject({ status: 'success' });
    expect(await call('mcp_trusting_add', args)).toMatchObject({ status: 'success' });
    expect(asked).toEqual([]);
    expect(await call('mcp_asking_add', args, 'cancel')).toMatchObject({ status: 'cancelled' });
    expect(asked.length).toBe(1);

    const confirm = (name: string) => tool(name).build(args).shouldConfirmExecute(signal);
    await expect(confirm('mcp_denied_add')).rejects.toThrow('denie');
    expect((await tool('mcp_denied_add').execute(args, signal)).error?.type).toBe('policy_violation');
    expect(await confirm('mcp_allowed_add')).toBe(false);
    expect(await confirm('mcp_trusting_add')).toBe(false);
    expect(await confirm('mcp_asking_add')).toMatchObject({ type: 'mcp' });
  });
});

describe('errors of a server are data [E2] [M2]', () => {
  test('one that fails at its start leaves the others usable, and calls of its tools say why', async () => {
    const broken = { command: 'sh', args: ['-c', 'echo no licence >&2; exit 3'] };
    const { manager, call } = await started({ mcpServers: { broken, unset: {}, sums: faulty() } });
    expect(manager.getClient('broken')?.getStatus()).toBe(MCPServerStatus.DISCONNECTED);
    expect(manager.getLastError('broken')).toContain('exit code 3');
    expect(manager.getLastError('unset')).toContain('"command"');
    const failed = await call('mcp_broken_add', { a: 1, b: 2 });
    expect(failed).toMatchObject({ status: 'error', response: { errorType: 'mcp_unavailable' } });
    expect(failed.response.error?.message).toContain('exit code 3');
    expect(await call('mcp_sums_add', { a: 1, b: 2 })).toMatchObject({ status: 'success' });
  });

  test('one that dies in a call ends only that call, with an error, and is connected again', async () => {
    const script = { 'tools/call': { seq: [[{ exit: 9 }]] } };
    const { manager, tool, call } = await started({ mcpServers: { dying: faulty(script), sums: faulty() } });
    const [died, healthy] = await Promise.all([
      call('mcp_dying_add', { a: 1, b: 2 }),
      call('mcp_sums_add', { a: 1, b: 2 }),
    ]);
    expect(died).toMatchObject({ status: 'error', response: { error: expect.any(Error) } });
    expect(healthy).toMatchObject({ status: 'success' });
    await expect
      .poll(() => manager.getClient('dying')?.getStatus(), { timeout: 10_000 })
      .toBe(MCPServerStatus.CONNECTED);
    expect(manager.getLastError('dying')).toContain('exit code 9');
    expect((await tool('mcp_dying_add').execute({ a: 1, b: 2 }, signal)).error).toBeDefined();
  });

  test('a blocked server, and one that is not among the allowed, is not started', async () => {
    const mcpServers = { a: faulty(), b: faulty(), c: faulty() };
    const { manager, registry } = await started({
      mcpServers,
      allowedMcpServers: ['a', 'b'],
      blockedMcpServers: ['b'],
    });
    expect(manager.getBlockedMcpServers()).toEqual([{ name: 'b' }, { name: 'c' }]);
    expect(registry.getToolsByServer('a').length).toBe(1);
    expect(manager.getMcpServerCount()).toBe(1);
  });
});

describe('the registry follows the servers [M2] [E2]', () => {
  const changing = {
    initialized: [{ sleep: 200 }, { notify: { method: 'notifications/tools/list_changed' } }],
    'tools/list': {
      seq: [[{ default: true }], [{ reply: { tools: [{ name: 'sub', inputSchema: { type: 'object' } }] } }]],
    },
  };

  test('list_changed replaces the tools, also for a scheduler that is running, and is announced', async () => {
    const updates: unknown[] = [];
    const emitter = new EventEmitter().on('mcp-client-update', (clients) => {
      updates.push(clients);
      throw new Error('a careless listener');
    });
    const { registry, call } = await started({ mcpServers: { sums: faulty(changing) } }, emitter);
    await expect
      .poll(() => registry.getToolsByServer('sums').map(({ name }) => name), { timeout: 10_000 })
      .toEqual(['mcp_sums_sub']);
    expect(await call('mcp_sums_add', { a: 1, b: 2 })).toMatchObject({
      response: { errorType: 'tool_not_registered' },
    });
    expect(updates.at(-1)).toBeInstanceOf(Map);
  });

  test('a server that is started again has the tools of its new settings, and one without a name throws', async () => {
    const { manager, registry } = await started({ mcpServers: { sums: faulty() } });
    const other = {
      'tools/list': [{ reply: { tools: [{ name: 'sub', inputSchema: { type: 'object' } }] } }],
    };
    await manager.maybeDiscoverMcpServer('sums', faulty(other));
    expect(registry.getToolsByServer('sums').map(({ name }) => name)).toEqual(['mcp_sums_sub']);
    await manager.restartServer('sums');
    await manager.restart();
    expect(registry.getToolsByServer('sums').map(({ name }) => name)).toEqual(['mcp_sums_sub']);
    await expect(manager.restartServer('nobody')).rejects.toThrow('no MCP server "nobody"');
  });

  test('a tool of the program keeps its name, and a server never takes it', async () => {
    const config = new Config({ targetDir: workspace, mcpServers: { sums: faulty() } });
    const registry = new ToolRegistry(config);
    const own = {
      name: 'mcp_sums_add',
      description: 'Own.',
      execute: async () => ({ llmContent: 'own', returnDisplay: 'own' }),
    };
    registry.registerTool(own);
    const manager = new McpClientManager(registry, config);
    stopping.push(() => manager.stop());
    await manager.startConfiguredMcpServers();
    expect(registry.getTool('mcp_sums_add')).toBe(own);
    await manager.stop();
    expect(registry.getTool('mcp_sums_add')).toBe(own);
  });

  test('a stop while servers are being started leaves no server and no tool', async () => {
    const mark = join(workspace, 'pid');
    const slow = {
      command: 'sh',
      args: ['-c', 'echo $$ > "$1"; exec "$2" "$3" "{}"', 'sh', mark, process.execPath, FAULTY],
    };
    const config = new Config({ targetDir: workspace, mcpServers: { slow } });
    const registry = new ToolRegistry(config);
    const manager = new McpClientManager(registry, config);
    writeFileSync(mark, '');
    const starting = manager.startConfiguredMcpServers();
    await manager.stop();
    await starting;
    expect(registry.getAllToolNames()).toEqual([]);
    const pid = Number(readFileSync(mark, 'utf8'));
    if (pid > 0) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
