import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explain } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import { McpSession } from './mcp-session.js';

let world: McpSession;
afterEach(() => world.close());

const FAULTY = fileURLToPath(new URL('faulty-server.mjs', import.meta.url));
const stateOf = (server: string) => () => world.report(server).status.state;

/** A server over stdio that ends at once as long as the file does not exist. */
function startsOnceThereIs(file: string) {
  const script = `test -e "$1" || { echo "no $1" >&2; exit 3; }; exec "$2" "$3" '{}'`;
  return { command: 'sh', args: ['-c', script, 'sh', file, process.execPath, FAULTY] };
}

test('a server that did not start is tried again, and its tools are there once it does [M2]', async () => {
  world = await McpSession.open({ limits: { reconnectWindowMs: 300, reconnectLastMs: 500 } });
  const states: string[] = [];
  world.manager.listen({ onStatus: (_, { state }) => states.push(state) });
  const file = join(world.base, 'installed');
  await world.manager.connectToServers({ late: startsOnceThereIs(file) });
  expect(world.report('late').status).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('exit code 3'),
  });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(states).toEqual(['connecting', 'failed']);
  writeFileSync(file, '');
  await expect.poll(stateOf('late')).toBe('connected');
  const call = await world.call('mcp_late_add', { a: 1, b: 2 }, { answer: 'proceed_once' });
  expect(call).toMatchObject({ status: 'success', result: { returnDisplay: '3' } });
});

test('a server over HTTP that was not reachable at first is tried again [M2]', async () => {
  world = await McpSession.open({ limits: { reconnectWindowMs: 300, reconnectLastMs: 500 } });
  const port = await freePort();
  await world.manager.connectToServers({ late: { url: `http://127.0.0.1:${port}/mcp`, type: 'http' } });
  expect(stateOf('late')()).toBe('failed');
  await world.faultyHttp({}, {}, port);
  await expect.poll(stateOf('late')).toBe('connected');
});

test('a server that keeps failing is tried again after longer pauses [M2]', async () => {
  world = await McpSession.open({
    limits: { reconnectFirstMs: 20, reconnectsMax: 2, reconnectWindowMs: 60_000 },
  });
  const log = join(world.base, 'starts');
  const counting = { command: 'sh', args: ['-c', 'echo start >> "$1"; exit 3', 'sh', log] };
  await world.manager.connectToServers({ broken: counting });
  const starts = () => readFileSync(log, 'utf8').split('\n').length - 1;
  await expect.poll(starts).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(starts()).toBe(3);
});

test('a call of a server that failed says so, and names no tool of another server [M2] [M1]', async () => {
  world = await McpSession.open();
  await world.manager.connectToServers({
    sums: world.faulty({}),
    sumz: { command: 'sh', args: ['-c', 'exit 3'] },
    unset: {},
  });
  for (const [name, server] of [
    ['mcp_sumz_add', 'sumz'],
    ['mcp_unset_add', 'unset'],
  ] as const) {
    const call = await world.call(name, { a: 1, b: 2 }, { answer: 'proceed_once' });
    expect(call).toMatchObject({ status: 'error', failure: { code: 'mcp_unavailable', server } });
    const { message, hint } = explain(call.status === 'error' ? call.failure : { code: 'disposed' });
    expect(`${message} ${hint}`).not.toContain('mcp_sums_add');
  }
  expect(await world.call('mcp_sums_ad', {}, { answer: 'proceed_once' })).toMatchObject({
    failure: { code: 'tool_not_registered', nearest: ['mcp_sums_add'] },
  });
});

test('a tool that a connected server lacks is not looked for on another server [M2] [M1]', async () => {
  world = await McpSession.open();
  const other = { 'tools/list': [{ reply: { tools: [{ name: 'sub', inputSchema: { type: 'object' } }] } }] };
  await world.manager.connectToServers({ sums: world.faulty({}), sumz: world.faulty(other) });
  expect(await world.call('mcp_sumz_add', {}, { answer: 'proceed_once' })).toMatchObject({
    failure: { code: 'tool_not_registered', nearest: ['mcp_sumz_sub'] },
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
