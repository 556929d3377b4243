import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { answerByFetch, type FetchHandler } from '@countersign/server';
import { stopwatch } from '@countersign/testkit';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { McpSession } from './mcp-session.js';

const CHANNEL_LATE_MS = 700;

/** A server that asks the person over its own channel, which it is slow to open. */
async function slowToListen(): Promise<string> {
  const server = new McpServer({ name: 'slow', version: '1' });
  const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
  server.registerTool('ask', { description: 'Asks.' }, async () => {
    const answer = await server.server.elicitInput({ mode: 'form', message: 'Who?', requestedSchema });
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  const handle: FetchHandler = async (request) => {
    if (request.method === 'GET') await delay(CHANNEL_LATE_MS);
    return transport.handleRequest(request);
  };
  const door = createServer((request, response) => void answerByFetch(request, response, handle));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  onTestFinished(async () => {
    await server.close();
    door.closeAllConnections();
    door.close();
  });
  const address = door.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
}

test('what a server asks over a channel that it is slow to open is not lost [M2]', async () => {
  const world = await McpSession.open({ limits: { handshakeMs: 15_000, callIdleMs: 4_000 } });
  onTestFinished(() => world.close());
  world.reply = () => ({ name: 'Ada' });
  await world.manager.connectToServers({ slow: { url: await slowToListen(), type: 'http' } });
  expect(await world.call('mcp_slow_ask', {}, { answer: 'proceed_once' })).toMatchObject({
    status: 'success',
    result: { returnDisplay: '{"action":"accept","content":{"name":"Ada"}}' },
  });
});

const SOON_MS = 3_000; // less than a server is waited for that does not say whether it has a channel

/** A server of few words: answers as JSON, and to a message that wants no answer so much as `quiet` says. */
async function ofFewWords(
  quiet: 'status 200' | 'status 202, and a channel that never opens',
): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, method } = Message.parse(JSON.parse(await text(request)));
    if (id === undefined) return response.writeHead(quiet === 'status 200' ? 200 : 202).end();
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} }));
  };
  const door = createServer((request, response) => {
    if (request.method !== 'GET') void answer(request, response);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  onTestFinished(() => {
    door.closeAllConnections();
    door.close();
  });
  const address = door.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
}

const Message = z.object({ id: z.number().optional(), method: z.string() });
const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'few', version: '1' },
  },
  'tools/list': { tools: [{ name: 'tell', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'told' }] },
};

test('a server that is not asked for a channel is not waited for [M2]', async () => {
  const world = await McpSession.open();
  onTestFinished(() => world.close());
  await world.manager.connectToServers({ few: { url: await ofFewWords('status 200'), type: 'http' } });
  const elapsedMs = stopwatch();
  expect(await world.call('mcp_few_tell', {}, { answer: 'proceed_once' })).toMatchObject({
    status: 'success',
    result: { returnDisplay: 'told' },
  });
  expect(elapsedMs()).toBeLessThan(SOON_MS);
});

test('cancelling a call that waits for the channel takes effect at once [M2]', async () => {
  const world = await McpSession.open();
  onTestFinished(() => world.close());
  const url = await ofFewWords('status 202, and a channel that never opens');
  await world.manager.connectToServers({ few: { url, type: 'http' } });
  const calling = world.call('mcp_few_tell', {}, { answer: 'proceed_once' });
  await delay(300);
  const elapsedMs = stopwatch();
  await world.session.send({ type: 'cancel', target: { type: 'all' }, by: 'tester' });
  expect(await calling).toMatchObject({ status: 'cancelled' });
  expect(elapsedMs()).toBeLessThan(SOON_MS);
});
