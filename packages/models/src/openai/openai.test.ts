import type { Json, JsonObject } from '@countersign/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import type { Content, Declaration, Provider } from '../provider.js';
import { retrying } from '../retrying.js';
import { eventsFrom, failureOf, finishedBy } from '../testing/collect-events.js';
import {
  answers,
  asEvents,
  breaksAfter,
  type Reply,
  stallsAfter,
  streams,
  WireServer,
} from '../testing/wire-server.js';
import { openAiProvider } from './openai-provider.js';

const KEY = 'sk-nobody-may-see';
let server: WireServer;
afterEach(() => server.stop());

async function serve(...replies: readonly Reply[]): Promise<Provider> {
  server = await WireServer.start(...replies);
  const credential = { value: KEY, from: 'OPENAI_API_KEY' };
  return openAiProvider({ name: 'OpenAI', baseUrl: `${server.url}/v1/`, credential });
}

/** A chunk as api.openai.com sends it. */
const chunk = (
  delta: JsonObject,
  finish_reason: string | null = null,
  more: JsonObject = {},
): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'gpt-x-2030-01-01',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  ...more,
});
const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 8 },
};
const usageChunk = { ...chunk({}), choices: [], usage: USAGE };
const DONE = 'data: [DONE]\n\n';
const said = (...chunks: readonly JsonObject[]) => `${asEvents(chunks)}${DONE}`;
const piece = (index: number, written: string, begun?: { id: string; name: string }): JsonObject => ({
  index,
  ...(begun && { id: begun.id, type: 'function' }),
  function: { ...(begun && { name: begun.name }), arguments: written },
});
const calling = (...tool_calls: readonly Json[]) => chunk({ tool_calls });

const PARALLEL = said(
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'Grüße 👋🏽' }),
  chunk({ content: ', I look.' }),
  calling(piece(0, '', { id: 'call_a', name: 'read_file' })),
  calling(piece(0, '{"file_path":')),
  calling(piece(0, '"ä.ts"}')),
  calling(piece(1, '', { id: 'call_b', name: 'list_directory' })),
  calling(piece(1, '{}')),
  chunk({}, 'tool_calls'),
  usageChunk,
);
const PARALLEL_TOLD = [
  { type: 'text', text: 'Grüße 👋🏽' },
  { type: 'text', text: ', I look.' },
  { type: 'call', id: 'call_a', name: 'read_file', args: { file_path: 'ä.ts' } },
  { type: 'call', id: 'call_b', name: 'list_directory', args: {} },
  {
    type: 'finished',
    reason: 'calls',
    said: 'tool_calls',
    message: null,
    content: {
      role: 'model',
      parts: [
        { text: 'Grüße 👋🏽, I look.' },
        { functionCall: { id: 'call_a', name: 'read_file', args: { file_path: 'ä.ts' } } },
        { functionCall: { id: 'call_b', name: 'list_directory', args: {} } },
      ],
    },
    usage: { inputTokens: 120, outputTokens: 30, cachedTokens: 100, thoughtTokens: 8 },
    model: 'gpt-x-2030-01-01',
  },
];

const readFile: Declaration = {
  name: 'read_file',
  description: 'Reads a file.',
  parametersJsonSchema: { type: 'object', properties: { file_path: { type: 'string' } } },
};

describe('an answer', () => {
  test('text and parallel calls, with usage after them [G1]', async () => {
    expect(await eventsFrom(await serve(streams(PARALLEL)))).toEqual(PARALLEL_TOLD);
  });

  test('reads the same when it arrives byte by byte [G1]', async () => {
    expect(await eventsFrom(await serve(streams(PARALLEL, 1)))).toEqual(PARALLEL_TOLD);
  });

  test('a call is emitted as soon as the next begins, while the rest still arrives [G2]', async () => {
    const first = calling(piece(0, '{"file_path":"a"}', { id: 'call_a', name: 'read_file' }));
    const second = calling(piece(1, '{"file', { id: 'call_b', name: 'read_file' }));
    const provider = await serve(stallsAfter(asEvents([first, second])));
    const abort = new AbortController();
    for await (const event of provider.stream(
      { model: 'm', system: '', contents: [], declarations: [] },
      abort.signal,
    )) {
      expect(event).toEqual({ type: 'call', id: 'call_a', name: 'read_file', args: { file_path: 'a' } });
      break;
    }
    expect(await server.isDeserted()).toBe(true);
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'safety'],
    ['eos_token', 'stop'],
    ['abort', 'other'],
  ])('finish_reason %s is %s [G1]', async (word, reason) => {
    const provider = await serve(streams(said(chunk({ content: 'x' }), chunk({}, word))));
    expect(await finishedBy(provider)).toMatchObject({ reason, said: word });
  });

  test('a refusal is shown and named as such [G1]', async () => {
    const provider = await serve(streams(said(chunk({ refusal: 'I cannot.' }), chunk({}, 'stop'))));
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'text', text: 'I cannot.' },
      { type: 'finished', reason: 'safety' },
    ]);
  });

  test('ends with its finish_reason where a server sends no [DONE] [G1]', async () => {
    const provider = await serve(streams(asEvents([chunk({ content: 'x' }), chunk({}, 'stop')])));
    expect(await finishedBy(provider)).toMatchObject({ reason: 'stop', usage: null });
  });

  test('ends with [DONE] where a server gives no finish_reason or leaves the answer open [G1]', async () => {
    const provider = await serve(stallsAfter(said(chunk({ content: 'x' }))));
    expect(await finishedBy(provider)).toMatchObject({ reason: 'stop' });
    expect(await server.isDeserted()).toBe(true);
  });

  test('a connection is used again for the next request [G1]', async () => {
    const provider = await serve(streams(PARALLEL));
    await eventsFrom(provider);
    await eventsFrom(provider);
    expect([server.received.length, server.connections]).toEqual([2, 1]);
  });
});

describe('calls of servers with manners of their own', () => {
  const callsIn = async (...chunks: readonly JsonObject[]) => {
    const events = await eventsFrom(await serve(streams(said(...chunks, chunk({}, 'stop')))));
    return events.filter(({ type }) => type === 'call' || type === 'bad_call');
  };
  const whole = (name: string, args: Json, more: JsonObject = {}): JsonObject => ({
    ...more,
    type: 'function',
    function: { name, arguments: args },
  });
  const call = (id: string | null, name: string, args: JsonObject) => ({ type: 'call', id, name, args });

  test('Ollama: whole calls, all with index 0 [G1]', async () => {
    expect(
      await callsIn(
        calling(whole('a', '{"x":1}', { index: 0, id: 'call_1' })),
        calling(whole('a', '{"x":2}', { index: 0, id: 'call_2' })),
      ),
    ).toEqual([call('call_1', 'a', { x: 1 }), call('call_2', 'a', { x: 2 })]);
  });

  test('whole calls without index and with empty ids, in one chunk or two [G1]', async () => {
    const pieces = [whole('a', '{"x":1}', { id: '' }), whole('a', '{"x":1}', { id: '' })];
    const expected = [call(null, 'a', { x: 1 }), call(null, 'a', { x: 1 })];
    expect(await callsIn(calling(...pieces))).toEqual(expected);
    await server.stop();
    expect(await callsIn(...pieces.map((one) => calling(one)))).toEqual(expected);
  });

  test('lmdeploy: pieces of two calls under one index, apart by ids in their first pieces [G1]', async () => {
    expect(
      await callsIn(
        calling(piece(0, '', { id: 'tool-1', name: 'a' })),
        calling({ ...piece(0, '{"x":1}'), id: '' }),
        calling(piece(0, '', { id: 'tool-2', name: 'a' })),
        calling({ ...piece(0, '{"x":2}'), id: '' }),
      ),
    ).toEqual([call('tool-1', 'a', { x: 1 }), call('tool-2', 'a', { x: 2 })]);
  });

  test('vLLM: another id with every piece [G1]', async () => {
    expect(
      await callsIn(
        calling(piece(0, '{"x"', { id: 'r-1', name: 'a' })),
        calling({ ...piece(0, ':1'), id: 'r-2' }),
        calling({ ...piece(0, '}'), id: 'r-3' }),
      ),
    ).toEqual([call('r-1', 'a', { x: 1 })]);
  });

  test('id and name repeated with every piece; a name in pieces [G1]', async () => {
    const begun = { id: 'c', name: 'read' };
    expect(
      await callsIn(
        calling(piece(0, '{"x"', begun)),
        calling(piece(0, ':1', begun)),
        calling(piece(0, '}', begun)),
      ),
    ).toEqual([call('c', 'read', { x: 1 })]);
    await server.stop();
    expect(
      await callsIn(
        calling(piece(0, '', { id: 'c', name: 'read_' })),
        calling({ index: 0, function: { name: 'file' } }),
        calling(piece(0, '{}')),
      ),
    ).toEqual([call('c', 'read_file', {})]);
  });

  test('pieces of two calls that alternate [G1]', async () => {
    expect(
      await callsIn(
        calling(piece(0, '{"x"', { id: 'a', name: 'one' }), piece(1, '{"y"', { id: 'b', name: 'two' })),
        calling(piece(0, ':1}'), piece(1, ':2}')),
      ),
    ).toEqual([call('a', 'one', { x: 1 }), call('b', 'two', { y: 2 })]);
  });

  test('arguments as an object, as null, or omitted [G1]', async () => {
    expect(
      await callsIn(
        calling(whole('a', { x: 1 }, { index: 0, id: '1' })),
        calling(whole('b', 'null', { index: 1, id: '2' })),
        calling({ index: 2, id: '3', function: { name: 'c' } }),
      ),
    ).toEqual([call('1', 'a', { x: 1 }), call('2', 'b', {}), call('3', 'c', {})]);
  });

  test('a whole answer in place of a stream of pieces [G1]', async () => {
    const message = { role: 'assistant', content: 'Hi', tool_calls: [whole('a', '{}', { id: '1' })] };
    const provider = await serve(
      streams(asEvents([{ model: 'local', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }])),
    );
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'text', text: 'Hi' },
      call('1', 'a', {}),
      { type: 'finished', reason: 'calls', model: 'local' },
    ]);
  });

  test('malformed arguments are reported, and harm no sibling [G1]', async () => {
    const provider = await serve(
      streams(
        said(
          calling(piece(0, '{"x":', { id: 'a', name: 'one' })),
          calling(piece(1, '[1]', { id: 'b', name: 'two' })),
          calling(piece(2, '{"z":3}', { id: 'c', name: 'three' })),
          chunk({}, 'tool_calls'),
        ),
      ),
    );
    expect(await eventsFrom(provider)).toMatchObject([
      {
        type: 'bad_call',
        id: 'a',
        name: 'one',
        problem: expect.stringMatching(/not valid JSON .*: \{"x":$/),
      },
      { type: 'bad_call', id: 'b', name: 'two', problem: 'The arguments are JSON, but not an object: [1]' },
      call('c', 'three', { z: 3 }),
      { type: 'finished', reason: 'calls' },
    ]);
  });

  test.each(['{"command":"rm -r', ''])(
    'a call cut off by the limit of length at %j is not run [G1]',
    async (at) => {
      const provider = await serve(
        streams(said(calling(piece(0, at, { id: 'a', name: 'run' })), chunk({}, 'length'))),
      );
      expect(await eventsFrom(provider)).toMatchObject([
        { type: 'bad_call', id: 'a', problem: expect.stringMatching(/length limit/) },
        { type: 'finished', reason: 'length', content: { parts: [{ functionCall: { id: 'a', args: {} } }] } },
      ]);
    },
  );

  test('only malformed calls are no reason to call anything [G1]', async () => {
    const provider = await serve(
      streams(said(calling(piece(0, '{', { id: 'a', name: 'one' })), chunk({}, 'tool_calls'))),
    );
    expect(await finishedBy(provider)).toMatchObject({ reason: 'malformed_call' });
  });
});

describe('thoughts', () => {
  const followUp = async (provider: Provider, content: Content) => {
    await eventsFrom(provider, {
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        content,
        { role: 'user', parts: [{ text: 'And?' }] },
      ],
    });
    const { messages } = server.received.at(-1)?.body ?? {};
    return messages;
  };

  test.each(['reasoning_content', 'reasoning'])('%s goes back under its name [G1]', async (field) => {
    const provider = await serve(
      streams(
        said(
          chunk({ [field]: 'Hm, ' }),
          chunk({ [field]: 'well' }),
          chunk({ content: 'Yes' }),
          chunk({}, 'stop'),
        ),
      ),
    );
    const events = await eventsFrom(provider);
    expect(events).toMatchObject([
      { type: 'thought', text: 'Hm, ' },
      { type: 'thought', text: 'well' },
      { type: 'text', text: 'Yes' },
      { type: 'finished', content: { parts: [{ text: 'Hm, well', thought: true }, { text: 'Yes' }] } },
    ]);
    const last = events.at(-1);
    if (last?.type !== 'finished') throw new Error('not finished');
    expect(await followUp(provider, last.content)).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Yes', [field]: 'Hm, well' },
      { role: 'user', content: 'And?' },
    ]);
  });

  test('the same thought under two names is reported once [G1]', async () => {
    const delta = { reasoning: 'Hm', reasoning_content: 'Hm' };
    const provider = await serve(streams(said(chunk(delta), chunk({ content: 'Yes' }), chunk({}, 'stop'))));
    expect((await eventsFrom(provider)).filter(({ type }) => type === 'thought')).toHaveLength(1);
  });

  test('reasoning items and signatures of calls go back as they came [G1]', async () => {
    const text = { type: 'reasoning.text', format: 'f', index: 0 };
    const encrypted = { type: 'reasoning.encrypted', data: 'gAAA', index: 1 };
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const provider = await serve(
      streams(
        said(
          chunk({ reasoning: 'Hm', reasoning_details: [{ ...text, text: 'Hm' }] }),
          chunk({ reasoning: '!', reasoning_details: [{ ...text, text: '!', signature: 's' }] }),
          chunk({ reasoning_details: [encrypted] }),
          calling({ ...piece(0, '{}', { id: 'a', name: 'one' }), extra_content }),
          chunk({}, 'tool_calls'),
        ),
      ),
    );
    const { content } = await finishedBy(provider);
    expect(await followUp(provider, content)).toContainEqual({
      role: 'assistant',
      content: null,
      reasoning: 'Hm!',
      reasoning_details: [{ ...text, text: 'Hm!', signature: 's' }, encrypted],
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'one', arguments: '{}' }, extra_content }],
    });
  });

  test('those of another provider stay in the history [G1]', async () => {
    const provider = await serve(streams(said(chunk({ content: 'x' }), chunk({}, 'stop'))));
    const parts = [
      { text: 'Hm', thought: true, thoughtSignature: 'gemini' },
      { text: 'Hm', thought: true, wire: { origin: 'openai elsewhere/v1', field: 'reasoning_content' } },
      { text: 'Yes', thoughtSignature: 'gemini' },
    ];
    expect(await followUp(provider, { role: 'model', parts })).toContainEqual({
      role: 'assistant',
      content: 'Yes',
    });
  });
});

describe('a request', () => {
  const GOOD = streams(said(chunk({ content: 'x' }), chunk({}, 'stop')));

  test('system, history, functions and their results, with the key in its header only [G1]', async () => {
    const provider = await serve(GOOD);
    await eventsFrom(provider, {
      model: 'gpt-x',
      system: 'Be brief.',
      declarations: [readFile],
      maxOutputTokens: 100,
      temperature: 0,
      contents: [
        { role: 'user', parts: [{ text: 'Look' }, { text: 'twice' }] },
        {
          role: 'model',
          parts: [
            { text: 'I ' },
            { text: 'look' },
            { functionCall: { id: 'a', name: 'read_file', args: { file_path: 'x' } } },
            { functionCall: { id: 'b', name: 'read_file', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'b', name: 'read_file', response: { error: 'file_path is missing' } } },
            { functionResponse: { id: 'a', name: 'read_file', response: { output: 'text of x' } } },
          ],
        },
      ],
    });
    expect(server.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(server.received[0]?.body).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look\n\ntwice' },
        {
          role: 'assistant',
          content: 'I look',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"file_path":"x"}' } },
            { id: 'b', type: 'function', function: { name: 'read_file', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'text of x' },
        { role: 'tool', tool_call_id: 'b', content: 'Error: file_path is missing' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'read_file',
            description: 'Reads a file.',
            parameters: { type: 'object', properties: { file_path: { type: 'string' } } },
          },
        },
      ],
      max_tokens: 100,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('pictures of the person and of results are shown in user messages [G1]', async () => {
    const provider = await serve(GOOD);
    const image = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
    const shown = (data: string) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${data}` },
    });
    await eventsFrom(provider, {
      contents: [
        { role: 'user', parts: [{ text: 'See' }, image('AAAA')] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'read_file', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'a',
                name: 'read_file',
                response: { output: 'ok' },
                parts: [image('BBBB')],
              },
            },
            image('CCCC'),
            { text: 'Well?' },
          ],
        },
      ],
    });
    expect(server.received[0]?.body?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'See' }, shown('AAAA')] },
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result of read_file (a):' },
          shown('BBBB'),
          shown('CCCC'),
          { type: 'text', text: 'Well?' },
        ],
      },
    ]);
  });

  test.each([
    [{ mode: 'any' as const }, 'required', 2],
    [
      { mode: 'any' as const, allowed: ['read_file'] },
      { type: 'function', function: { name: 'read_file' } },
      1,
    ],
    [{ mode: 'none' as const }, 'none', 2],
    [{ mode: 'auto' as const }, undefined, 2],
  ])('the choice of functions %j [G1]', async (toolChoice, tool_choice, count) => {
    const provider = await serve(GOOD);
    await eventsFrom(provider, { declarations: [readFile, { ...readFile, name: 'other' }], toolChoice });
    expect(server.received[0]?.body?.tool_choice).toEqual(tool_choice);
    expect(server.received[0]?.body?.tools).toHaveLength(count);
  });

  test('a name that the wire does not take is respelled, and called by its own name [G1]', async () => {
    const names = ['mcp.a.b', 'mcp_a_b', 'mcp:a:b'];
    const provider = await serve(
      streams(said(calling(piece(0, '{}', { id: 'c', name: 'mcp_a_b_2' })), chunk({}, 'tool_calls'))),
    );
    const events = await eventsFrom(provider, { declarations: names.map((name) => ({ ...readFile, name })) });
    const sent = JSON.stringify(server.received[0]?.body?.tools).match(/"name":"[^"]+"/g);
    expect(sent).toEqual(['"name":"mcp_a_b_2"', '"name":"mcp_a_b"', '"name":"mcp_a_b_3"']);
    expect(events[0]).toMatchObject({ type: 'call', name: 'mcp.a.b' });
  });
});

describe('what goes wrong', () => {
  const GOOD = streams(said(chunk({ content: 'x' }), chunk({}, 'stop')));

  test.each([
    ['stream_options', 'Unknown parameter: stream_options'],
    ['temperature', "Unsupported value: 'temperature' does not support 0.5"],
    ['max_tokens', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."],
  ])(
    'a model that does not take %s is asked once more without, and from then on [G1]',
    async (field, message) => {
      const provider = await serve(answers(400, JSON.stringify({ error: { message } })), GOOD);
      await eventsFrom(provider, { maxOutputTokens: 9, temperature: 0.5 });
      await eventsFrom(provider, { maxOutputTokens: 9, temperature: 0.5 });
      const [first, second, third] = server.received.map(({ body }) => body ?? {});
      expect([first?.[field] === undefined, second?.[field]]).toEqual([false, undefined]);
      expect(second?.max_completion_tokens).toBe(field === 'max_tokens' ? 9 : undefined);
      expect(third).toEqual(second);
      expect(server.received).toHaveLength(3);
    },
  );

  test('a model that takes functions only if it does not reason is asked not to [G1]', async () => {
    const message = "Function tools with reasoning_effort are not supported; use reasoning_effort 'none'.";
    const provider = await serve(answers(400, JSON.stringify({ error: { message } })), GOOD);
    await eventsFrom(provider, { declarations: [readFile] });
    expect(server.received.map(({ body }) => body?.reasoning_effort)).toEqual([undefined, 'none']);
  });

  test('a model that takes no pictures gets a description of them [G1]', async () => {
    const provider = await serve(answers(500, '{"error":{"message":"image input is not supported"}}'), GOOD);
    await eventsFrom(provider, {
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }],
    });
    expect(server.received[1]?.body?.messages).toEqual([
      {
        role: 'user',
        content: '[An attachment of type image/png, 3 bytes, which this model cannot read]',
      },
    ]);
  });

  test('what did not help is not remembered [G1]', async () => {
    const tooMuch = answers(400, '{"error":{"message":"max_tokens is too large: 9"}}');
    const provider = await serve(tooMuch, tooMuch, GOOD);
    await failureOf(eventsFrom(provider, { maxOutputTokens: 9 }));
    await eventsFrom(provider, { maxOutputTokens: 5 });
    expect(server.received[2]?.body).toMatchObject({ max_tokens: 5 });
  });

  test('a server that continues complaining is believed [G1]', async () => {
    const provider = await serve(answers(400, '{"error":{"message":"no stream_options, no temperature"}}'));
    const failure = await failureOf(eventsFrom(provider, { temperature: 1 }));
    expect(failure).toMatchObject({ code: 'model_rejected', status: 400 });
    expect(server.received).toHaveLength(3);
  });

  test.each([
    [
      { error: { message: 'too many', type: 'requests', code: 'rate_limit_exceeded' } },
      'model_overloaded',
      429,
    ],
    [
      { error: { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' } },
      'model_rejected',
      400,
    ],
    [{ error: { message: 'boom', type: 'server_error', code: null } }, 'model_overloaded', 500],
    [{ error: 'llama runner stopped' }, 'model_overloaded', 500],
    [{ object: 'error', message: 'bad', type: 'BadRequestError', code: 400 }, 'model_rejected', 400],
  ])('an error in mid-stream: %j [G1]', async (error, code, status) => {
    const provider = await serve(streams(asEvents([chunk({ content: 'x' }), error])));
    expect(await failureOf(eventsFrom(provider))).toMatchObject({ code, status });
  });

  test('a malformed chunk [G1]', async () => {
    const provider = await serve(streams(`data: {"choices":[{"del\n\n${DONE}`));
    expect(await failureOf(eventsFrom(provider))).toMatchObject({
      code: 'model_nonsense',
      excerpt: '{"choices":[{"del',
    });
  });

  test('a connection cut before the model stopped fails; after that nothing is lost [G1]', async () => {
    const begun = asEvents([chunk({ content: 'x' })]);
    const ended = asEvents([chunk({ content: 'x' }), chunk({}, 'stop')]);
    expect(await failureOf(eventsFrom(await serve(breaksAfter(begun))))).toMatchObject({
      code: 'model_cut_off',
    });
    await server.stop();
    expect(await failureOf(eventsFrom(await serve(streams(begun))))).toMatchObject({ code: 'model_cut_off' });
    await server.stop();
    expect(await finishedBy(await serve(breaksAfter(ended)))).toMatchObject({ reason: 'stop', usage: null });
  });

  test('429 with Retry-After and 503 are tried again [G3]', async () => {
    const busy = answers(429, '{"error":{"message":"slow down"}}', { 'retry-after': '0.01' });
    const provider = retrying(await serve(busy, answers(503, 'down'), GOOD), { firstDelayMs: 1 });
    expect(await eventsFrom(provider)).toMatchObject([
      { type: 'retry', attempt: 1, because: { code: 'model_overloaded', status: 429, retryAfterMs: 10 } },
      { type: 'retry', attempt: 2, because: { code: 'model_overloaded', status: 503 } },
      { type: 'text' },
      { type: 'finished' },
    ]);
  });

  test('a refused key is named by its variable, never by its value [G1]', async () => {
    const provider = await serve(answers(401, `{"error":{"message":"Incorrect API key: ${KEY}"}}`));
    const failure = await failureOf(eventsFrom(provider));
    expect(failure).toMatchObject({ code: 'model_refused', credential: 'OPENAI_API_KEY' });
    expect(JSON.stringify(failure)).not.toContain(KEY);
  });

  test('an abort in mid-stream throws its reason and closes the connection [G1]', async () => {
    const provider = await serve(stallsAfter(asEvents([chunk({ content: 'x' })])));
    const abort = new AbortController();
    const work = eventsFrom(provider, {}, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 30);
    await expect(work).rejects.toThrow('enough');
    expect(await server.isDeserted()).toBe(true);
  });
});
