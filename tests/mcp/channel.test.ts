import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
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
  const listener = getRequestListener(
    async (request) => {
      if (request.method === 'GET') await delay(CHANNEL_LATE_MS);
      return transport.handleRequest(request);
    },
    { overrideGlobalObjects: false },
  );
  const door = createServer((request, response) => void listener(request, response));
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
