import type { JsonObject } from '@countersign/protocol';
import { expect, onTestFinished } from 'vitest';
import {
  answers,
  asEvents,
  type Reply,
  streams,
  WireServer,
} from '../../packages/models/src/testing/wire-server.js';
import { call, FakeModel, ofType, prompt, says, streaming, text } from './headless-model.js';
import { test } from './program.js';

const NOWHERE = 'http://127.0.0.1:9';

async function serve(...replies: readonly Reply[]): Promise<WireServer> {
  const server = await WireServer.start(...replies);
  onTestFinished(() => server.stop());
  return server;
}

test('Gemini: found by its key, at the address that is set; one connection serves all requests [G1]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const model = await FakeModel.start(
    says(call('read_file', { file_path: 'a.txt' }), call('list_directory', { dir_path: '.' })),
    says(text('Read.')),
  );
  expect(await model.run(place, prompt('go'))).toMatchObject({ code: 0, stdout: 'Read.\n' });
  const { received, connections } = model.server;
  expect(received[0]?.path).toMatch(/^\/v1beta\/models\/gemini-[^/]+:streamGenerateContent/);
  expect(received[0]?.headers['x-goog-api-key']).toBe('k');
  // Results in the order of the calls, without ids, since the model gave none.
  expect(model.lastParts(1)).toMatchObject([
    { functionResponse: { name: 'read_file', response: { output: 'hello\n' } } },
    { functionResponse: { name: 'list_directory' } },
  ]);
  expect(JSON.stringify(model.lastParts(1))).not.toContain('"id"');
  expect(connections).toBe(1);
});

const openAi = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'local-1',
  choices: [{ index: 0, delta, finish_reason }],
});
const openAiSays = (...chunks: readonly JsonObject[]): Reply =>
  streams(`${asEvents(chunks)}data: [DONE]\n\n`);
const OPENAI_CALL = openAi({
  tool_calls: [
    {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'read_file', arguments: '{"file_path":"a.txt"}' },
    },
  ],
});

test('OpenAI: a server of one’s own, by its address alone, which names its model itself [G1]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const server = await serve(
    answers(200, JSON.stringify({ object: 'list', data: [{ id: 'local-1' }] })),
    openAiSays(OPENAI_CALL, openAi({}, 'tool_calls')),
    openAiSays(openAi({ content: 'Read.' }), openAi({}, 'stop')),
  );
  const env = { OPENAI_BASE_URL: `${server.url}/v1` };
  const { code, stdout, stderr } = await place.run(prompt('go'), { env });
  expect([code, stdout, stderr]).toEqual([0, 'Read.\n', '']);
  expect(server.received.map(({ path }) => path)).toEqual([
    '/v1/models',
    '/v1/chat/completions',
    '/v1/chat/completions',
  ]);
  expect(server.received[2]?.body?.['messages']).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_call_id: 'c1', content: 'hello\n' },
  ]);
});

test('Ollama is found on its own, with the model that it has [G1]', async ({ place }) => {
  const server = await serve(
    answers(200, JSON.stringify({ models: [{ name: 'nomic-embed-text:latest' }, { name: 'qwen3:8b' }] })),
    openAiSays(openAi({ content: 'Hello.' }), openAi({}, 'stop')),
  );
  const ran = await place.run(streaming('hi'), { env: { OLLAMA_HOST: server.url } });
  expect([ran.code, ran.lines[0]]).toMatchObject([0, { type: 'init', model: 'qwen3:8b' }]);
  expect(server.received.map(({ path }) => path)).toEqual(['/api/tags', '/v1/chat/completions']);
});

const anthropicSays = (...events: readonly JsonObject[]): Reply =>
  streams(
    events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
const BEGIN = {
  type: 'message_start',
  message: {
    id: 'm',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    usage: { input_tokens: 5, output_tokens: 1 },
  },
};
const block = (content_block: JsonObject, delta: JsonObject): readonly JsonObject[] => [
  { type: 'content_block_start', index: 0, content_block },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
];
const end = (stop_reason: string): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

test('Anthropic: found by its key, at the address that is set [G1]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const server = await serve(
    anthropicSays(
      BEGIN,
      ...block(
        { type: 'tool_use', id: 't1', name: 'read_file', input: {} },
        { type: 'input_json_delta', partial_json: '{"file_path":"a.txt"}' },
      ),
      ...end('tool_use'),
    ),
    anthropicSays(
      BEGIN,
      ...block({ type: 'text', text: '' }, { type: 'text_delta', text: 'Read.' }),
      ...end('end_turn'),
    ),
  );
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  const { code, stdout, stderr } = await place.run(prompt('go'), { env });
  expect([code, stdout, stderr]).toEqual([0, 'Read.\n', '']);
  expect(server.received[1]?.headers['x-api-key']).toBe('k');
  expect(JSON.stringify(server.received[1]?.body?.['messages'])).toContain('"tool_use_id":"t1"');
});

test('a provider that is busy is asked again when it wants, which is reported [G3]', async ({ place }) => {
  const busy = JSON.stringify({ error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } });
  const model = await FakeModel.start(answers(429, busy, { 'retry-after': '1' }), says(text('Now.')));
  const ran = await model.run(place, streaming('go'));
  expect([ran.code, model.server.received.length]).toEqual([0, 2]);
  const [warned] = ofType(ran, 'error');
  expect(warned).toMatchObject({ severity: 'warning', message: expect.stringContaining('slow down') });
  expect(warned?.['retry_in_ms']).toBeGreaterThanOrEqual(1_000);
});

test('what the provider refuses is reported plainly, without the key [G3]', async ({ place }) => {
  const model = await FakeModel.start(answers(400, JSON.stringify({ error: { message: 'no such model' } })));
  const { code, stdout, stderr } = await model.run(place, prompt('go'), { env: { GEMINI_API_KEY: 'k3y' } });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('no such model');
  expect(stderr).not.toContain('k3y');
  const nobody = await place.run(prompt('go'), {
    env: { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'not an address' },
  });
  expect([nobody.code, nobody.stdout]).toEqual([4, '']);
});

test('a model without a key is reported; -m selects between several [G1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('ok')));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: NOWHERE };
  const ran = await model.run(place, streaming('go', '-m', 'gemini-2.5-pro'), { env });
  expect(ran.lines[0]).toMatchObject({ model: 'gemini-2.5-pro' });
  const missing = await model.run(place, prompt('go', '-m', 'gpt-5.1'), { env });
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('OPENAI_API_KEY')]);
});
