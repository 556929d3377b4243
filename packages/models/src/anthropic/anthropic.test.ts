import type { JsonObject } from '@countersign/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import type { Content, Declaration, Provider } from '../provider.js';
import { retrying } from '../retrying.js';
import { eventsFrom, failureOf, finishedBy } from '../testing/collect-events.js';
import {
  answers,
  breaksAfter,
  type Reply,
  stallsAfter,
  streams,
  WireServer,
} from '../testing/wire-server.js';
import { anthropicProvider } from './anthropic-provider.js';

const KEY = 'sk-ant-nobody-may-see';
let server: WireServer;
afterEach(() => server.stop());

async function serve(...replies: readonly Reply[]): Promise<Provider> {
  server = await WireServer.start(...replies);
  return anthropicProvider({
    name: 'Anthropic',
    baseUrl: server.url,
    credential: { value: KEY, from: 'ANTHROPIC_API_KEY' },
  });
}

/** Events as api.anthropic.com sends them: each with its name on a line of its own. */
const asNamedEvents = (events: readonly JsonObject[]) =>
  events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const START = {
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-x-20300101',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 70,
      output_tokens: 1,
    },
  },
};
const block = (index: number, content_block: JsonObject, ...deltas: readonly JsonObject[]): JsonObject[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const text = (index: number, ...texts: readonly string[]) =>
  block(index, { type: 'text', text: '' }, ...texts.map((one) => ({ type: 'text_delta', text: one })));
const call = (index: number, id: string, name: string, ...written: readonly string[]) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...written.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );
const stop = (stop_reason: string): JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 45 } },
  { type: 'message_stop' },
];
const said = (...events: readonly JsonObject[]) => asNamedEvents([START, { type: 'ping' }, ...events]);

const PARALLEL = said(
  ...text(0, 'Grüße 👋🏽', ', I look.'),
  ...call(1, 'toolu_a', 'read_file', '', '{"file_', 'path": "ä.ts"}'),
  { type: 'ping' },
  ...call(2, 'toolu_b', 'list_directory', ''),
  ...stop('tool_use'),
);
const PARALLEL_TOLD = [
  { type: 'text', text: 'Grüße 👋🏽' },
  { type: 'text', text: ', I look.' },
  { type: 'call', id: 'toolu_a', name: 'read_file', args: { file_path: 'ä.ts' } },
  { type: 'call', id: 'toolu_b', name: 'list_directory', args: {} },
  {
    type: 'finished',
    reason: 'calls',
    said: 'tool_use',
    message: null,
    content: {
      role: 'model',
      parts: [
        { text: 'Grüße 👋🏽, I look.' },
        { functionCall: { id: 'toolu_a', name: 'read_file', args: { file_path: 'ä.ts' } } },
        { functionCall: { id: 'toolu_b', name: 'list_directory', args: {} } },
      ],
    },
    usage: { inputTokens: 100, outputTokens: 45, cachedTokens: 70, thoughtTokens: 0 },
    model: 'claude-x-20300101',
  },
];
const GOOD = streams(said(...text(0, 'x'), ...stop('end_turn')));

const readFile: Declaration = {
  name: 'read_file',
  description: 'Reads a file.',
  parametersJsonSchema: { type: 'object', properties: { file_path: { type: 'string' } } },
};
const KEPT = { cache_control: { type: 'ephemeral' } };
const bodies = () => server.received.map(({ body }) => body ?? {});

describe('an answer', () => {
  test('text and parallel calls, with usage over the whole input [G1]', async () => {
    expect(await eventsFrom(await serve(streams(PARALLEL)))).toEqual(PARALLEL_TOLD);
  });

  test('reads the same when it arrives byte by byte [G1]', async () => {
    expect(await eventsFrom(await serve(streams(PARALLEL, 1)))).toEqual(PARALLEL_TOLD);
  });

  test('a call is emitted when its block is complete, while the rest still arrives [G2]', async () => {
    const provider = await serve(stallsAfter(said(...call(0, 'toolu_a', 'read_file', '{"file_path":"a"}'))));
    const events = provider.stream(
      { model: 'm', system: '', contents: [], declarations: [] },
      new AbortController().signal,
    );
    for await (const event of events) {
      expect(event).toMatchObject({ type: 'call', id: 'toolu_a' });
      break;
    }
    expect(await server.isDeserted()).toBe(true);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'safety'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
  ])('stop_reason %s is %s [G1]', async (word, reason) => {
    const provider = await serve(streams(said(...text(0, 'x'), ...stop(word))));
    expect(await finishedBy(provider)).toMatchObject({ reason, said: word });
  });

  test('events and deltas of unknown kinds are passed over [G1]', async () => {
    const provider = await serve(
      streams(
        said(
          { type: 'context_window_warning', level: 3 },
          ...block(
            0,
            { type: 'text', text: '' },
            { type: 'citations_delta', citation: {} },
            { type: 'text_delta', text: 'x' },
          ),
          ...stop('end_turn'),
        ),
      ),
    );
    expect(await finishedBy(provider)).toMatchObject({ content: { parts: [{ text: 'x' }] } });
  });

  test('an imitation of the wire: no names of events, arguments with the beginning of the call [G1]', async () => {
    const events = [
      START,
      ...block(0, { type: 'tool_use', id: 'c', name: 'a', input: { x: 1 } }),
      ...stop('tool_use'),
    ];
    const provider = await serve(
      streams(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
    );
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'call', id: 'c', name: 'a', args: { x: 1 } },
      { type: 'finished', reason: 'calls' },
    ]);
  });

  test('malformed arguments are reported, and harm no sibling [G1]', async () => {
    const provider = await serve(
      streams(said(...call(0, 'a', 'one', '{"x":'), ...call(1, 'b', 'two', '{"y":2}'), ...stop('tool_use'))),
    );
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'bad_call', id: 'a', name: 'one', problem: expect.stringMatching(/not valid JSON/) },
      { type: 'call', id: 'b', name: 'two', args: { y: 2 } },
      { type: 'finished', reason: 'calls' },
    ]);
  });

  test.each([
    ['{"command":"rm -r', ['{"command":', '"rm -r']],
    ['the very beginning', []],
  ])('a call cut off by the limit of length at %s is not run [G1]', async (_, written) => {
    const provider = await serve(streams(said(...call(0, 'a', 'run', ...written), ...stop('max_tokens'))));
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'bad_call', id: 'a', name: 'run' },
      { type: 'finished', reason: 'length' },
    ]);
  });
});

describe('thoughts', () => {
  const thinking = (index: number, signature: string, ...thoughts: readonly string[]) =>
    block(
      index,
      { type: 'thinking', thinking: '', signature: '' },
      ...thoughts.map((thought) => ({ type: 'thinking_delta', thinking: thought })),
      ...(signature === '' ? [] : [{ type: 'signature_delta', signature }]),
    );
  const followUp = async (provider: Provider, content: Content) => {
    await eventsFrom(provider, {
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        content,
        { role: 'user', parts: [{ text: 'And?' }] },
      ],
    });
    return bodies().at(-1)?.messages;
  };

  test('go back exactly as they came, in their places [G1]', async () => {
    const redacted = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3p' };
    const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const provider = await serve(
      streams(
        said(
          ...thinking(0, 'c2lnMQ==', 'Hm, ', 'well'),
          ...block(1, redacted),
          ...text(2, 'I look'),
          ...thinking(3, 'c2lnMg=='),
          ...block(4, searched, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
          ...call(5, 'toolu_a', 'read_file', '{"file_path":"x"}'),
          ...stop('tool_use'),
        ),
      ),
    );
    const events = await eventsFrom(provider);
    expect(events.filter(({ type }) => type === 'thought')).toEqual([
      { type: 'thought', text: 'Hm, ' },
      { type: 'thought', text: 'well' },
    ]);
    const last = events.at(-1);
    if (last?.type !== 'finished') throw new Error('not finished');
    expect(last.content.parts).toMatchObject([
      { text: 'Hm, well', thought: true, thoughtSignature: 'c2lnMQ==' },
      { wire: { block: redacted } },
      { text: 'I look' },
      { text: '', thought: true, thoughtSignature: 'c2lnMg==' },
      { wire: { block: { ...searched, input: { query: 'q' } } } },
      { functionCall: { id: 'toolu_a' } },
    ]);
    // As a journal keeps it.
    const kept: Content = JSON.parse(JSON.stringify(last.content));
    expect(await followUp(provider, kept)).toContainEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm, well', signature: 'c2lnMQ==' },
        redacted,
        { type: 'text', text: 'I look' },
        { type: 'thinking', thinking: '', signature: 'c2lnMg==' },
        { ...searched, input: { query: 'q' } },
        { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: { file_path: 'x' } },
      ],
    });
  });

  test('one that was cut off before its signature is not sent back [G1]', async () => {
    const provider = await serve(
      streams(said(...text(0, 'x'), ...thinking(1, '', 'Hm'), ...stop('max_tokens'))),
    );
    const { content } = await finishedBy(provider);
    expect(content.parts).toMatchObject([{ text: 'x' }, { text: 'Hm', thought: true }]);
    expect(await followUp(provider, content)).toContainEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
    });
  });

  test('those of another provider stay in the history [G1]', async () => {
    const provider = await serve(GOOD);
    const parts = [
      { text: 'Hm', thought: true, thoughtSignature: 'gemini' },
      { text: 'Hm', thought: true, thoughtSignature: 'c2ln', wire: { origin: 'anthropic elsewhere' } },
      { wire: { origin: 'anthropic elsewhere', block: { type: 'redacted_thinking', data: 'x' } } },
      { text: 'Yes', thoughtSignature: 'gemini' },
    ];
    expect(await followUp(provider, { role: 'model', parts })).toContainEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Yes' }],
    });
  });

  test('are asked for where a model can, and a model that cannot is spared from then on [G1]', async () => {
    const unable = answers(
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}',
    );
    const provider = await serve(unable, GOOD);
    await eventsFrom(provider, { model: 'claude-x', temperature: 0 });
    await eventsFrom(provider, { model: 'claude-x', temperature: 0 });
    await eventsFrom(provider, { model: 'claude-sonnet-4-5-20250929' });
    expect(bodies().map((body) => [body.thinking, body.temperature])).toEqual([
      [{ type: 'adaptive', display: 'summarized' }, undefined],
      [undefined, 0],
      [undefined, 0],
      [undefined, undefined],
    ]);
  });
});

describe('a request', () => {
  test('system, history, functions and results, marked for the cache [G1]', async () => {
    const provider = await serve(GOOD);
    const image = { inlineData: { mimeType: 'image/png', data: 'BBBB' } };
    await eventsFrom(provider, {
      model: 'claude-x',
      system: 'Be brief.',
      declarations: [{ ...readFile, name: 'other' }, readFile],
      contents: [
        { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ text: 'I look' }] },
        {
          role: 'model',
          parts: [{ functionCall: { id: 'a', name: 'read_file', args: { file_path: 'x' } } }],
        },
        { role: 'model', parts: [{ functionCall: { id: 'b', name: 'read_file', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'b', name: 'read_file', response: { error: 'missing' } } }],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'a', name: 'read_file', response: { output: 'ok' }, parts: [image] } },
            { text: 'Well?' },
          ],
        },
      ],
    });
    expect(server.received[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    });
    const shown = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    });
    const tool = (name: string) => ({
      name,
      description: 'Reads a file.',
      input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
    });
    expect(bodies()).toEqual([
      {
        model: 'claude-x',
        max_tokens: 8_192,
        system: [{ type: 'text', text: 'Be brief.', ...KEPT }],
        tools: [tool('other'), { ...tool('read_file'), ...KEPT }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look' }, shown('AAAA')] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look' },
              { type: 'tool_use', id: 'a', name: 'read_file', input: { file_path: 'x' } },
              { type: 'tool_use', id: 'b', name: 'read_file', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'a',
                content: [{ type: 'text', text: 'ok' }, shown('BBBB')],
              },
              {
                type: 'tool_result',
                tool_use_id: 'b',
                content: [{ type: 'text', text: 'missing' }],
                is_error: true,
              },
              { type: 'text', text: 'Well?', ...KEPT },
            ],
          },
        ],
        thinking: { type: 'adaptive', display: 'summarized' },
        stream: true,
      },
    ]);
  });

  test('a history with calls can be asked about without functions, as for a summary [G3]', async () => {
    const provider = await serve(GOOD);
    await eventsFrom(provider, {
      contents: [
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'read_file', args: {} } }] },
        { role: 'user', parts: [{ text: 'Sum up.' }] },
      ],
    });
    expect(bodies()[0]).toMatchObject({ tools: [{ name: 'read_file' }], tool_choice: { type: 'none' } });
  });

  test.each([
    [{ mode: 'any' as const }, { type: 'any' }, undefined],
    [{ mode: 'any' as const, allowed: ['read_file'] }, { type: 'tool', name: 'read_file' }, undefined],
    [{ mode: 'none' as const }, { type: 'none' }, expect.anything()],
  ])(
    'the choice of functions %j; a forced call leaves no place for thoughts [G1]',
    async (toolChoice, tool_choice, thinking) => {
      const provider = await serve(GOOD);
      await eventsFrom(provider, { declarations: [readFile], toolChoice });
      expect(bodies()[0]?.tool_choice).toEqual(tool_choice);
      expect(bodies()[0]?.thinking).toEqual(thinking);
    },
  );

  test('the limit of length: the request’s own, else the model’s [G1]', async () => {
    await serve(GOOD);
    const provider = anthropicProvider({
      name: 'Anthropic',
      baseUrl: `${server.url}/v1/`,
      credential: null,
      maxOutputTokens: (model) => ({ known: 16_000, long: 128_000 })[model] ?? null,
    });
    await eventsFrom(provider, { model: 'known' });
    await eventsFrom(provider, { model: 'known', maxOutputTokens: 50 });
    await eventsFrom(provider, { model: 'long' });
    await eventsFrom(provider, { model: 'unknown' });
    expect(bodies().map((body) => body.max_tokens)).toEqual([16_000, 50, 32_000, 8_192]);
    expect(server.received[0]?.path).toBe('/v1/messages');
  });
});

describe('what goes wrong', () => {
  test.each([
    ['overloaded_error', 'model_overloaded', 529],
    ['rate_limit_error', 'model_overloaded', 429],
    ['api_error', 'model_overloaded', 500],
    ['invalid_request_error', 'model_rejected', 400],
    ['authentication_error', 'model_refused', 401],
    ['something_new', 'model_overloaded', 500],
  ])('the error event %s in mid-stream is %s [G1]', async (type, code, status) => {
    const error = { type: 'error', error: { type, message: 'no' }, request_id: 'req_1' };
    const provider = await serve(streams(said(...text(0, 'x'), error)));
    expect(await failureOf(eventsFrom(provider))).toMatchObject({ code, status, message: 'no' });
  });

  test('a malformed event [G1]', async () => {
    const provider = await serve(
      streams(`${said()}event: content_block_start\ndata: {"type":"content_bl\n\n`),
    );
    expect(await failureOf(eventsFrom(provider))).toMatchObject({ code: 'model_nonsense' });
  });

  test('a connection cut before the model stopped fails; after that nothing is lost [G1]', async () => {
    const begun = said(...text(0, 'x'));
    const ended = said(...text(0, 'x'), ...stop('end_turn').slice(0, 1));
    expect(await failureOf(eventsFrom(await serve(breaksAfter(begun))))).toMatchObject({
      code: 'model_cut_off',
    });
    await server.stop();
    expect(await failureOf(eventsFrom(await serve(streams(begun))))).toMatchObject({ code: 'model_cut_off' });
    await server.stop();
    expect(await finishedBy(await serve(breaksAfter(ended)))).toMatchObject({ reason: 'stop' });
  });

  test('a picture that the provider cannot read does not end the conversation [G1]', async () => {
    const provider = await serve(answers(400, '{"error":{"message":"Could not process image"}}'), GOOD);
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    await eventsFrom(provider, { contents: [{ role: 'user', parts: [{ text: 'See' }, image] }] });
    await eventsFrom(provider, { contents: [{ role: 'user', parts: [{ text: 'See' }, image] }] });
    const shown = bodies().map((body) => JSON.stringify(body.messages).includes('"type":"image"'));
    expect(shown).toEqual([true, false, true]);
  });

  test('429 with Retry-After and 529 are tried again [G3]', async () => {
    const error = (type: string) => JSON.stringify({ type: 'error', error: { type, message: 'no' } });
    const provider = retrying(
      await serve(
        answers(429, error('rate_limit_error'), { 'retry-after': '0.01' }),
        answers(529, error('overloaded_error')),
        GOOD,
      ),
      { firstDelayMs: 1 },
    );
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'retry', because: { code: 'model_overloaded', status: 429, retryAfterMs: 10 } },
      { type: 'retry', because: { code: 'model_overloaded', status: 529 } },
      { type: 'text' },
      { type: 'finished' },
    ]);
  });

  test('a refused key is named by its variable, never by its value [G1]', async () => {
    const provider = await serve(answers(401, `{"error":{"message":"invalid x-api-key ${KEY}"}}`));
    const failure = await failureOf(eventsFrom(provider));
    expect(failure).toMatchObject({ code: 'model_refused', credential: 'ANTHROPIC_API_KEY' });
    expect(JSON.stringify(failure)).not.toContain(KEY);
  });

  test('an abort in mid-stream throws its reason and closes the connection [G1]', async () => {
    const provider = await serve(stallsAfter(said(...text(0, 'x'))));
    const abort = new AbortController();
    const work = eventsFrom(provider, {}, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 30);
    await expect(work).rejects.toThrow('enough');
    expect(await server.isDeserted()).toBe(true);
  });
});
