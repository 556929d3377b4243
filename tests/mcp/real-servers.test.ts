import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DiscoveredMCPTool } from '@countersign/mcp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { McpSession } from './mcp-session.js';

let world: McpSession;
const children: ChildProcess[] = [];
beforeEach(async () => {
  world = await McpSession.open({ limits: { handshakeMs: 15_000, callIdleMs: 15_000 } });
});
afterEach(async () => {
  await world.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const program = (name: string) =>
  fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );
const stdio = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [program(name), ...args],
  trust: true,
});
const textOf = (content: unknown) => JSON.stringify(content);

/** Waits for a public server that listens on a port of its own. */
async function listening(mode: 'sse' | 'streamableHttp', path: string): Promise<string> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  free.close();
  const child = spawn(process.execPath, [program('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  await once(child.stderr, 'data');
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/nothing`).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return `http://127.0.0.1:${port}${path}`;
}

test('the public file server changes a file, and a mistake of its is reported as such [M1]', async () => {
  const { workspace } = { workspace: join(world.base, 'ws') };
  writeFileSync(join(workspace, 'a.txt'), 'hello');
  await world.manager.connectToServers({ files: stdio('filesystem', workspace) });
  const path = join(workspace, 'b.txt');
  expect(await world.call('mcp_files_write_file', { path, content: 'new' })).toMatchObject({
    status: 'success',
  });
  expect(readFileSync(path, 'utf8')).toBe('new');
  const read = await world.call('mcp_files_read_text_file', { path: join(workspace, 'a.txt') });
  expect(read).toMatchObject({ status: 'success' });
  expect(textOf('result' in read && read.result)).toContain('hello');
  const outside = await world.call('mcp_files_read_text_file', { path: '/etc/hostname' });
  expect(outside).toMatchObject({ failure: { code: 'execution_failed', type: 'mcp_tool_error' } });
  expect(textOf('failure' in outside && outside.failure)).toContain('untrusted_context');
});

test('the public memory server keeps what it receives, with structured content that is checked [M1]', async () => {
  const env = { MEMORY_FILE_PATH: join(world.base, 'memory.jsonl') };
  await world.manager.connectToServers({ memory: { ...stdio('memory'), env } });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }];
  const made = await world.call('mcp_memory_create_entities', { entities });
  expect(made).toMatchObject({ status: 'success' });
  const found = await world.call('mcp_memory_search_nodes', { query: 'Ada' });
  expect(textOf('result' in found && found.result)).toContain('wrote programs');
});

describe.each([
  ['stdio', async () => stdio('everything')],
  ['streamable HTTP', async () => ({ httpUrl: await listening('streamableHttp', '/mcp'), trust: true })],
  ['SSE', async () => ({ url: await listening('sse', '/sse'), type: 'sse', trust: true })],
  ['an address alone', async () => ({ url: await listening('sse', '/sse'), trust: true })],
])('the public server with everything, over %s', (_, settings) => {
  test('answers, shows progress, and is found again by name [M1][M2]', async () => {
    await world.manager.connectToServers({ everything: await settings() });
    expect(world.report('everything').status).toEqual({ state: 'connected' });
    const echoed = await world.call('mcp_everything_echo', { message: 'hi' });
    expect(echoed).toMatchObject({ result: { returnDisplay: 'Echo: hi' } });
    const long = await world.call('mcp_everything_trigger-long-running-operation', {
      duration: 0.4,
      steps: 4,
    });
    expect(long).toMatchObject({ status: 'success' });
    expect(world.progress.map(({ done }) => done)).toEqual(expect.arrayContaining([1, 2, 3]));
  });
});

test('the public server with everything: pictures, links, resources, prompts, structured content [M1]', async () => {
  await world.manager.connectToServers({ everything: stdio('everything') });
  const tool: DiscoveredMCPTool | undefined = world.toolOf('mcp_everything_echo');
  expect(tool).toMatchObject({ server: 'everything', tool: 'echo' });

  const image = await world.call('mcp_everything_get-tiny-image', {});
  expect(textOf('result' in image && image.result.llmContent)).toContain(
    '"inlineData":{"mimeType":"image/png"',
  );
  const links = await world.call('mcp_everything_get-resource-links', { count: 2 });
  expect(textOf('result' in links && links.result)).toContain('which read_mcp_resource reads');
  const weather = await world.call('mcp_everything_get-structured-content', { location: 'Chicago' });
  expect(weather).toMatchObject({ status: 'success' });
  const wrong = await world.call('mcp_everything_get-sum', { a: 'one', b: 2 });
  expect(wrong).toMatchObject({
    failure: { code: 'invalid_tool_params', problems: ['"a" must be a number, not "one"'] },
  });

  const listed = await world.call('list_mcp_resources', {});
  const listing = textOf('result' in listed && listed.result);
  const uri = /demo:[^\s\\"(]+/.exec(listing)?.[0] ?? '';
  expect(uri).not.toBe('');
  expect(await world.call('read_mcp_resource', { uri })).toMatchObject({ status: 'success' });
  expect(world.manager.resourceFor(`@everything:${uri}`)).toEqual({ server: 'everything', uri });

  const prompts = await world.manager.prompts();
  expect(prompts.map(({ name }) => name)).toContain('args-prompt');
  const { signal } = new AbortController();
  const said = await world.manager.getPrompt('everything', 'args-prompt', { city: 'Paris' }, signal);
  expect(textOf(said)).toContain('Paris');
});
