import type { JsonObject } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import {
  type FinishedEvent,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type Part,
} from '../provider.js';
import {
  answers,
  asEvents,
  breaksAfter,
  type Reply,
  stallsAfter,
  streams,
  WireServer,
} from '../testing/wire-server.js';
import { type GeminiProvider, geminiProvider } from './index.js';

const KEY = 'key-that-nobody-may-see';
let server: WireServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const REQUEST: ModelRequest = {
  model: 'gemini-3.8-flash',
  system: 'Be brief.',
  contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
  declarations: [],
};
const never = new AbortController().signal;

async function serve(...replies: readonly Reply[]): Promise<GeminiProvider> {
  server = await WireServer.start(...replies);
  const credential = { value: KEY, from: 'GEMINI_API_KEY' };
  return geminiProvider({ credential, baseUrl: `${server.url}/`, limits: { idleMs: 500, headersMs: 500 } });
}

async function listen(gemini: GeminiProvider, request = REQUEST, signal = never) {
  const events: ModelEvent[] = [];
  let thrown: unknown = null;
  try {
    for await (const event of gemini.stream(request, signal)) events.push(event);
  } catch (error) {
    thrown = error;
  }
  const failure: unknown = thrown instanceof ModelError ? thrown.failure : thrown;
  return { events, failure };
}

async function finishedOf(...chunks: readonly JsonObject[]): Promise<FinishedEvent> {
  const { events, failure } = await listen(await serve(streams(asEvents(chunks))));
  expect(failure).toBeNull();
  const last = events.at(-1);
  if (last?.type !== 'finished') throw new Error('the stream did not finish');
  return last;
}

/** What the model is sent of a history, after its last message was answered. */
async function sentOf(request: Partial<ModelRequest>): Promise<JsonObject> {
  await listen(await serve(streams(asEvents([chunk([{ text: 'ok' }], 'STOP')]))), { ...REQUEST, ...request });
  const body = server?.received[0]?.body;
  if (!body) throw new Error('nothing was sent');
  return body;
}

const chunk = (parts: readonly Part[], finishReason?: string, more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
  ...more,
});

const SIGNED: readonly Part[] = [
  { text: 'Let me think.', thought: true },
  { text: 'Signed words', thoughtSignature: 'c2lnLTE=' },
  { text: ' and more' },
  {
    functionCall: { id: 'c1', name: 'read_file', args: { file_path: 'a.ts' } },
    thoughtSignature: 'c2lnLTI=+/é',
  },
  { functionCall: { id: 'c2', name: 'glob', args: {} } },
  { text: '', thoughtSignature: 'c2lnLTM=' },
];

test('a request is what Gemini documents, with the key in a header and not in the address [G1]', async () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  const gemini = await serve(streams(asEvents([chunk([{ text: 'Hi' }], 'STOP')])));
  await listen(gemini, {
    ...REQUEST,
    declarations: [{ name: 'glob', description: 'Finds files.', parametersJsonSchema: schema }],
    toolChoice: { mode: 'any', allowed: ['glob'] },
    maxOutputTokens: 99,
    temperature: 0.5,
  });
  expect(server?.received).toMatchObject([
    {
      method: 'POST',
      path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
      body: {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        tools: [{ functionDeclarations: [{ name: 'glob', parametersJsonSchema: schema }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['glob'] } },
        generationConfig: {
          maxOutputTokens: 99,
          temperature: 0.5,
          thinkingConfig: { includeThoughts: true },
        },
      },
    },
  ]);
});

test('what was not asked for is not sent [G1]', async () => {
  const body = await sentOf({ model: 'gemini-2.0-flash', system: '' });
  expect(body).toEqual({ contents: REQUEST.contents, generationConfig: {} });
});

test('where calls are free but some functions are not, only the allowed ones are declared [G1]', async () => {
  const declarations = ['glob', 'replace'].map((name) => ({
    name,
    description: '',
    parametersJsonSchema: {},
  }));
  const body = await sentOf({ declarations, toolChoice: { mode: 'auto', allowed: ['glob'] } });
  expect(body).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'glob' }] }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  });
});

test.each([
  ['/v1beta', 'models/gemini-3.8-flash', '/v1beta/models/gemini-3.8-flash:generateContent'],
  ['/proxy/gemini/', 'gemini-3.8-flash', '/proxy/gemini/v1beta/models/gemini-3.8-flash:generateContent'],
  ['', 'tunedModels/mine', '/v1beta/tunedModels/mine:generateContent'],
  ['', 'a?b#c', '/v1beta/models/a%3Fb%23c:generateContent'],
])('base URL …%s and model %s lead to %s [G1]', async (base, model, path) => {
  server = await WireServer.start(answers(200, JSON.stringify(chunk([{ text: 'Hi' }], 'STOP'))));
  const credential = { value: KEY, from: 'GEMINI_API_KEY' };
  await geminiProvider({ credential, baseUrl: server.url + base }).complete({ ...REQUEST, model }, never);
  expect(server.received[0]?.path).toBe(path);
});

test('text, thoughts and parallel calls come as they arrive, and again whole at the end [G1, G2]', async () => {
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 7,
    cachedContentTokenCount: 60,
  };
  const gemini = await serve(
    streams(
      asEvents([
        chunk([{ text: 'Hm', thought: true }], undefined, { usageMetadata: { promptTokenCount: 100 } }),
        chunk([{ text: 'Grü' }]),
        chunk([{ text: 'ße' }, { functionCall: { name: 'glob', args: { pattern: '*' } } }]),
        chunk([{ functionCall: { id: 'c7', name: 'list_directory' } }]),
        chunk([{ text: '' }], 'STOP', { usageMetadata, modelVersion: 'gemini-3.8-flash-001' }),
      ]),
      1,
    ),
  );
  const { events, failure } = await listen(gemini);
  expect(failure).toBeNull();
  expect(events).toEqual([
    { type: 'thought', text: 'Hm' },
    { type: 'text', text: 'Grü' },
    { type: 'text', text: 'ße' },
    { type: 'call', id: null, name: 'glob', args: { pattern: '*' } },
    { type: 'call', id: 'c7', name: 'list_directory', args: {} },
    {
      type: 'finished',
      reason: 'calls',
      said: 'STOP',
      message: null,
      content: {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          { text: 'Grüße' },
          { functionCall: { name: 'glob', args: { pattern: '*' } } },
          { functionCall: { id: 'c7', name: 'list_directory' } },
        ],
      },
      usage: { inputTokens: 100, outputTokens: 27, cachedTokens: 60, thoughtTokens: 7 },
      model: 'gemini-3.8-flash-001',
    },
  ]);
});

test('signatures come back verbatim, each on the very part it came with [G1]', async () => {
  const { content } = await finishedOf(...SIGNED.map((part) => chunk([part])), chunk([], 'STOP'));
  expect(content.parts).toEqual(SIGNED);
  await server?.stop();
  const results: Part[] = [
    { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'x' } } },
    { functionResponse: { id: 'c2', name: 'glob', response: { output: 'y' } } },
  ];
  const contents = [...REQUEST.contents, content, { role: 'user' as const, parts: results }];
  expect((await sentOf({ contents })).contents).toEqual(contents);
});

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'safety'],
  ['RECITATION', 'safety'],
  ['PROHIBITED_CONTENT', 'safety'],
  ['MALFORMED_FUNCTION_CALL', 'malformed_call'],
  ['UNEXPECTED_TOOL_CALL', 'malformed_call'],
  ['LANGUAGE', 'other'],
  ['A_WORD_OF_TOMORROW', 'other'],
  ['toString', 'other'],
])('%s means %s [G1]', async (said, reason) => {
  expect(await finishedOf(chunk([{ text: 'so far' }], said))).toMatchObject({ said, reason });
});

test('a malformed call is reported with the message of Gemini [G1]', async () => {
  const finished = await finishedOf({
    candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(default_api.glob(' }],
  });
  expect(finished).toMatchObject({
    reason: 'malformed_call',
    message: 'print(default_api.glob(',
    content: { parts: [] },
  });
});

test('a prompt that is blocked is a safety stop, whatever the word for it [G1]', async () => {
  const promptFeedback = { blockReason: 'OTHER', blockReasonMessage: 'No.' };
  expect(await finishedOf({ promptFeedback })).toMatchObject({
    reason: 'safety',
    said: 'OTHER',
    message: 'No.',
  });
});

test('a call with arguments that are no object is reported, and leaves a history that Gemini accepts [G1]', async () => {
  const gemini = await serve(
    streams(asEvents([chunk([{ functionCall: { name: 'glob', args: '{"pat' } }], 'STOP')])),
  );
  const { events } = await listen(gemini);
  expect(events).toMatchObject([
    { type: 'bad_call', name: 'glob', problem: 'the arguments are not a JSON object' },
    { type: 'finished', reason: 'calls', content: { parts: [{ functionCall: { name: 'glob', args: {} } }] } },
  ]);
});

test('a call without a name is reported, and can be answered [G1]', async () => {
  const gemini = await serve(streams(asEvents([chunk([{ functionCall: { args: {} } }], 'STOP')])));
  expect((await listen(gemini)).events).toMatchObject([
    { type: 'bad_call', name: 'unnamed', problem: 'the call names no function' },
    { type: 'finished', content: { parts: [{ functionCall: { name: 'unnamed', args: {} } }] } },
  ]);
});

test('images that the model makes are kept in its answer [G1]', async () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } };
  expect((await finishedOf(chunk([{ text: 'Here' }, image], 'STOP'))).content.parts).toEqual([
    { text: 'Here' },
    image,
  ]);
});

test.each([
  [
    'no candidates',
    asEvents([{ candidates: [] }]),
    { code: 'model_cut_off', problem: 'it holds no candidate' },
  ],
  ['no end', asEvents([chunk([{ text: 'Once upon' }])]), { code: 'model_cut_off' }],
  [
    'a chunk that is not JSON',
    'data: {"candidates": [\n\n',
    { code: 'model_nonsense', excerpt: '{"candidates": [' },
  ],
  ['a chunk that is not an object', 'data: 7\n\n', { code: 'model_nonsense', excerpt: '7' }],
  [
    'a part that is not an object',
    'data: {"candidates":[{"content":{"parts":["x"]}}]}\n\n',
    { code: 'model_nonsense' },
  ],
  [
    'an error',
    asEvents([{ error: { code: 503, message: 'Overloaded.' } }]),
    { code: 'model_overloaded', status: 503 },
  ],
])('a stream with %s is a failure [G1]', async (_, text, failure) => {
  expect((await listen(await serve(streams(text)))).failure).toMatchObject({
    provider: 'Gemini',
    ...failure,
  });
});

test('a bad request is reported in the words of Google [G3]', async () => {
  const error = { code: 400, message: 'Unable to submit request.', status: 'INVALID_ARGUMENT' };
  const { failure } = await listen(await serve(answers(400, JSON.stringify({ error }, null, 2))));
  expect(failure).toEqual({
    code: 'model_rejected',
    provider: 'Gemini',
    status: 400,
    message: 'Unable to submit request.',
  });
});

test('a cut after the first chunk keeps what arrived, and reports that it broke off [G2, G3]', async () => {
  const { events, failure } = await listen(await serve(breaksAfter(asEvents([chunk([{ text: 'Once' }])]))));
  expect(events).toEqual([{ type: 'text', text: 'Once' }]);
  expect(failure).toMatchObject({ code: 'model_cut_off' });
});

test('a server that falls silent within an answer is given up [G3]', async () => {
  const { failure } = await listen(await serve(stallsAfter(asEvents([chunk([{ text: 'Once' }])]))));
  expect(failure).toEqual({ code: 'model_silent', provider: 'Gemini', afterMs: 500 });
  expect(await server?.isDeserted()).toBe(true);
});

test('aborted within an answer, it throws the reason and leaves no connection [G2]', async () => {
  const gemini = await serve(stallsAfter(asEvents([chunk([{ text: 'Once' }])])));
  const stop = new AbortController();
  const reason = new Error('stop');
  setTimeout(() => stop.abort(reason), 50);
  expect((await listen(gemini, REQUEST, stop.signal)).failure).toBe(reason);
  expect(await server?.isDeserted()).toBe(true);
});

test('a whole answer can be asked for, with a search by Google [G1]', async () => {
  const groundingMetadata = {
    webSearchQueries: ['countersign'],
    groundingChunks: [{ web: { uri: 'https://a.b' } }],
  };
  const body = {
    candidates: [{ content: { parts: [{ text: 'Found.' }] }, finishReason: 'STOP', groundingMetadata }],
  };
  const gemini = await serve(answers(200, JSON.stringify(body)));
  const { finished, grounding } = await gemini.complete(REQUEST, never, [{ googleSearch: {} }]);
  expect(finished).toMatchObject({ reason: 'stop', content: { parts: [{ text: 'Found.' }] } });
  expect(grounding).toEqual(groundingMetadata);
  expect(server?.received[0]).toMatchObject({
    path: '/v1beta/models/gemini-3.8-flash:generateContent',
    body: { tools: [{ googleSearch: {} }] },
  });
});
