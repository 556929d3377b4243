import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
let local: Server;
beforeEach(() => {
  served = new Served();
  local = createServer((request, response) => {
    if (request.url === '/api/tags') return void response.end('{"models":[{"name":"local-1"}]}');
    if (request.url === '/v1/models') return void response.end('{"data":[{"id":"local-1"}]}');
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'local-1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunk({ content: 'Here I am.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
});
afterEach(async () => {
  await served.close();
  local.closeAllConnections();
  await new Promise((resolve) => local.close(resolve));
});

async function listen(port: number): Promise<number> {
  await new Promise<void>((resolve) => local.listen(port, '127.0.0.1', resolve));
  return (local.address() as AddressInfo).port;
}

const isAnswered = (sessionId: string) =>
  until(async () =>
    JSON.stringify(must(await served.client.listFacts({ sessionId, type: 'message' })).facts).includes(
      'Here I am.',
    ),
  );

test('without a model calls work and a message gets an explanation; it is delivered once a local model runs [W1] [G1]', async () => {
  const port = await listen(0);
  await new Promise((resolve) => local.close(resolve));
  served.environment = { OLLAMA_HOST: `127.0.0.1:${port}` };
  await served.start('--port', '0');
  expect(must(await served.client.whoAmI({})).model).toBeNull();
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  const body = { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] };
  must(await served.client.issueCalls({ sessionId, body }));
  const refused = await served.client.sendMessage({ sessionId, body: { text: 'Are you there?' } });
  if (refused.ok) throw new Error('a model answered');
  expect([refused.error.status, refused.error.code]).toEqual([503, 'model_not_configured']);
  expect(refused.error.hint).toMatch(/GEMINI_API_KEY.*Ollama/);
  // What was refused is not written down, to be found there later.
  expect(must(await served.client.listFacts({ sessionId, type: 'message' })).facts).toEqual([]);

  // The same session, the same process.
  await listen(port);
  must(await served.client.sendMessage({ sessionId, body: { text: 'And now?' } }));
  await isAnswered(sessionId);
});

test('a model that is configured before the next start works on existing sessions [W1] [G1]', async () => {
  await served.start('--port', '0');
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  await served.end('SIGTERM');
  served.environment = { OPENAI_BASE_URL: `http://127.0.0.1:${await listen(0)}/v1` };
  await served.start('--port', '0');
  expect(must(await served.client.whoAmI({})).model).toBe('local-1');
  must(await served.client.sendMessage({ sessionId, body: { text: 'Are you there?' } }));
  await isAnswered(sessionId);
});
