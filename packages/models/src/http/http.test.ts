import { createServer } from 'node:net';
import { explain, type Failure } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import { ModelError, type ModelEvent } from '../provider.js';
import { retrying } from '../retrying.js';
import {
  answers,
  breaksAfter,
  type Reply,
  stallsAfter,
  streams,
  WireServer,
} from '../testing/wire-server.js';
import type { HttpCall } from './call.js';
import { postForEvents, type ServerEvent } from './events.js';
import { requestJson } from './json-answer.js';

const KEY = 'key-that-nobody-may-see';
let server: WireServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const callTo = (url: string, more: Partial<HttpCall> = {}): HttpCall => ({
  provider: 'Gemini',
  url: `${url}/v1/say`,
  headers: { 'x-goog-api-key': KEY },
  credential: { value: KEY, from: 'GEMINI_API_KEY' },
  body: { hello: 'wörld' },
  ...more,
});

async function serve(...replies: readonly Reply[]): Promise<HttpCall> {
  server = await WireServer.start(...replies);
  return callTo(server.url);
}

const never = new AbortController().signal;

async function eventsOf(call: HttpCall, signal = never): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of postForEvents(call, signal)) events.push(event);
  return events;
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error.failure;
  throw new Error(`expected a failure of the model, not ${String(error)}`);
}

const SPEECH =
  'event: word\ndata: {"text":"Grüße 👋🏽, 日本"}\n\n: a comment\n\ndata: one\r\ndata: two\r\n\r\ndata: last';
const SPOKEN = [
  { event: 'word', data: '{"text":"Grüße 👋🏽, 日本"}' },
  { event: null, data: 'one\ntwo' },
  { event: null, data: 'last' },
];

test('a stream cut into single bytes reads the same as one that arrives at once [G1]', async () => {
  expect(await eventsOf(await serve(streams(SPEECH)))).toEqual(SPOKEN);
  await server?.stop();
  expect(await eventsOf(await serve(streams(SPEECH, 1)))).toEqual(SPOKEN);
});

test('what is posted arrives as JSON, with its headers, and asks for no compression [G1]', async () => {
  const call = await serve(streams(SPEECH));
  await eventsOf(call);
  expect(server?.received).toMatchObject([
    {
      method: 'POST',
      path: '/v1/say',
      body: { hello: 'wörld' },
      headers: { 'x-goog-api-key': KEY, 'accept-encoding': 'identity', 'content-type': 'application/json' },
    },
  ]);
});

test('answers read to their end share one connection; one that is left early closes its own [G1]', async () => {
  const call = await serve(streams(SPEECH));
  for (let time = 0; time < 3; time += 1) await eventsOf(call);
  expect(server?.connections).toBe(1);
  for await (const _ of postForEvents(call, never)) break;
  expect(await server?.isDeserted()).toBe(true);
});

test('a connection that the server closed while it was idle is replaced without a word [G3]', async () => {
  const call = await serve(streams(SPEECH));
  await eventsOf(call);
  // Closed at the very moment of the next request, so that its bytes cross with the news.
  const next = eventsOf(call);
  for (const socket of server?.sockets ?? []) socket.destroy();
  expect(await next).toEqual(SPOKEN);
  expect(server?.connections).toBe(2);
});

test.each([
  [
    401,
    '{"error":{"message":"No such key."}}',
    { code: 'model_refused', message: 'No such key.', credential: 'GEMINI_API_KEY' },
  ],
  [403, '', { code: 'model_refused', message: 'no reason was given' }],
  [404, '{"error":"model \\"x\\" not found"}', { code: 'model_rejected', message: 'model "x" not found' }],
  [413, '<html>\n<b>too large</b>', { code: 'model_rejected', message: '<html> <b>too large</b>' }],
  [408, '{}', { code: 'model_overloaded' }],
  [
    503,
    '[{"error":{"code":503,"message":"Try later."}}]',
    { code: 'model_overloaded', message: 'Try later.', retryAfterMs: null },
  ],
  [
    529,
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    { code: 'model_overloaded', status: 529 },
  ],
  [
    429,
    '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}',
    { code: 'model_rejected' },
  ],
])('HTTP %d with %j is reported as what it is [G3]', async (status, body, failure) => {
  const call = await serve(answers(status, body));
  expect(await failureOf(eventsOf(call))).toMatchObject({ provider: 'Gemini', status, ...failure });
});

test('a key that Google calls invalid is refused, though the status is 400 [G3]', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
  const body = { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details } };
  const failure = await failureOf(eventsOf(await serve(answers(400, JSON.stringify(body)))));
  expect(failure).toMatchObject({ code: 'model_refused', credential: 'GEMINI_API_KEY' });
});

test.each([
  [
    'the minute, with a delay',
    'GenerateRequestsPerMinutePerProjectPerModel',
    { code: 'model_overloaded', retryAfterMs: 34_500 },
  ],
  [
    'the day, which is spent',
    'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
    { code: 'model_rejected' },
  ],
])("Google's quota of %s is distinguished [G3]", async (_, quotaId, failure) => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
  ];
  const body = JSON.stringify({ error: { code: 429, message: 'Quota exceeded.', details } });
  expect(await failureOf(eventsOf(await serve(answers(429, body))))).toMatchObject(failure);
});

test.each([
  ['Retry-After', '7', 7_000],
  ['Retry-After-Ms', '250', 250],
  ['Retry-After', 'soon', null],
])('%s: %s is understood [G3]', async (name, value, retryAfterMs) => {
  const call = await serve(answers(429, '{}', { [name]: value }));
  expect(await failureOf(eventsOf(call))).toMatchObject({ code: 'model_overloaded', retryAfterMs });
});

test('Retry-After as a date is counted from now [G3]', async () => {
  const call = await serve(
    answers(503, '{}', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
  );
  const failure = await failureOf(eventsOf(call));
  if (failure.code !== 'model_overloaded') throw new Error(failure.code);
  expect(failure.retryAfterMs).toBeGreaterThan(50_000);
  expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
});

test('a redirect is not followed, since the key would go along [G1]', async () => {
  const call = await serve(answers(302, '', { location: 'http://127.0.0.1:9/' }));
  expect(await failureOf(eventsOf(call))).toMatchObject({ code: 'model_rejected', status: 302 });
});

test.each([
  ['an error', answers(400, JSON.stringify({ error: { message: `bad key ${KEY} ${'x'.repeat(9_000)}` } }))],
  ['a page', answers(200, `<p>${' '.repeat(230)}${KEY}</p>`)],
  ['a page of blanks', answers(200, `<p>${' '.repeat(290)}${KEY}</p>`)],
  ['a page that is cut within it', answers(200, `<p>${' '.repeat(65_520)}${KEY}</p>`)],
  ['a page that ends in it', answers(200, `<p>${'y'.repeat(290)}${KEY}</p>`)],
])('a key that %s repeats is in no message, and the message is short [G3]', async (_, reply) => {
  const failure = await failureOf(eventsOf(await serve(reply)));
  const { message, hint } = explain(failure);
  expect(JSON.stringify(failure) + message + hint).not.toContain('key-that');
  expect(message.length).toBeLessThan(500);
});

test.each([
  [
    'before its head',
    (() => {
      throw new Error('cut');
    }) satisfies Reply,
  ],
  ['after its head', breaksAfter('')],
  ['within an event', breaksAfter('data: {"a"')],
  ['after an event', breaksAfter('data: 1\n\n')],
])('a connection that breaks %s is an answer cut off [G3]', async (_, reply) => {
  expect(await failureOf(eventsOf(await serve(reply)))).toMatchObject({ code: 'model_cut_off' });
});

test.each(['text/html; charset=utf-8', 'application/xhtml+xml', 'TEXT/HTML'])(
  'a page of the type %s in place of a response is reported with its type, and not requested again [G3]',
  async (type) => {
    const failure = await failureOf(eventsOf(await serve(answers(200, '<html>', { 'content-type': type }))));
    expect(failure).toMatchObject({ code: 'model_nonsense', contentType: type });
    expect(explain(failure).message).toContain(type);
    expect(explain(failure).hint).toContain('sign-in page');
    const asked: ModelEvent[] = [];
    const provider = retrying({
      name: 'P',
      async *stream() {
        asked.push({ type: 'text', text: '' });
        yield* [];
        throw new ModelError(failure);
      },
    });
    const request = { model: 'm', system: '', contents: [], declarations: [] };
    await expect(provider.stream(request, never)[Symbol.asyncIterator]().next()).rejects.toThrow(ModelError);
    expect(asked).toHaveLength(1);
  },
);

test('what arrived before the cut was passed on [G2]', async () => {
  const seen: string[] = [];
  const call = await serve(breaksAfter('data: 1\n\ndata: 2\n\n'));
  const reading = (async () => {
    for await (const { data } of postForEvents(call, never)) seen.push(data);
  })();
  expect(await failureOf(reading)).toMatchObject({ code: 'model_cut_off' });
  expect(seen).toEqual(['1', '2']);
});

test.each([
  [
    'a page',
    '<html>\u001b[31mSign in</html>',
    { code: 'model_nonsense', excerpt: '<html> [31mSign in</html>' },
  ],
  ['nothing', '', { code: 'model_cut_off', problem: 'it was empty' }],
  [
    'an error in plain JSON',
    '{"error":\n {"code": 429,\n"message": "slow down"}\n}',
    { code: 'model_overloaded', message: 'slow down' },
  ],
  [
    'an error after events',
    'data: 1\n\n{"error": {"code": 400, "message": "no"}}',
    { code: 'model_rejected', message: 'no' },
  ],
])('%s in place of events is a failure that says so [G3]', async (_, body, failure) => {
  expect(await failureOf(eventsOf(await serve(answers(200, body))))).toMatchObject(failure);
});

test('silence is ended by its limit, before the head and after it [G3]', async () => {
  for (const reply of [() => {}, stallsAfter(''), stallsAfter('data: 1\n\n')] satisfies Reply[]) {
    const call = { ...(await serve(reply)), limits: { headersMs: 60, idleMs: 60 } };
    expect(await failureOf(eventsOf(call))).toEqual({
      code: 'model_silent',
      provider: 'Gemini',
      afterMs: 60,
    });
    expect(await server?.isDeserted()).toBe(true);
    await server?.stop();
  }
});

test('time that the reader takes is not silence of the server [G3]', async () => {
  const call = { ...(await serve(streams(SPEECH, 40))), limits: { idleMs: 80 } };
  let count = 0;
  for await (const _ of postForEvents(call, never)) {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  expect(count).toBe(3);
});

test.each([
  ['nothing listens', 'http://127.0.0.1:1', 'nothing listens at http://127.0.0.1:1', { refused: true }],
  ['the name is unknown', 'http://no-such-host.invalid', 'no address is known for no-such-host.invalid', {}],
])('where %s, the model is out of reach [G3]', async (_, url, problem, more) => {
  expect(await failureOf(eventsOf(callTo(url)))).toEqual({
    code: 'model_unreachable',
    provider: 'Gemini',
    problem,
    ...more,
  });
});

test('a connection that is not made within its limit is given up [G3]', async () => {
  // TLS that never begins: the port is open, and nothing is sent.
  const mute = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const address = mute.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const call = callTo(`https://127.0.0.1:${address.port}`, { limits: { connectMs: 60 } });
  expect(await failureOf(eventsOf(call))).toMatchObject({ code: 'model_unreachable' });
  await new Promise((resolve) => mute.close(resolve));
});

test.each([
  ['an address without a scheme', callTo('example.org'), 'base URL'],
  ['a scheme that is not HTTP', callTo('ftp://example.org'), 'base URL'],
  [
    'a key with a line break',
    callTo('http://127.0.0.1:1', { headers: { 'x-key': 'a\nb' } }),
    'GEMINI_API_KEY',
  ],
])('%s is reported as a configuration problem [G1]', async (_, call, named) => {
  const failure = await failureOf(eventsOf(call));
  expect(failure).toMatchObject({ code: 'model_not_configured' });
  expect(explain(failure).message).toContain(named);
});

test.each([
  ['before it begins', 0, () => {}],
  ['while the server thinks', 30, () => {}],
  ['after the head', 30, stallsAfter('')],
  ['within an event', 30, stallsAfter('data: {"a')],
  ['between events', 30, stallsAfter('data: 1\n\n')],
  [
    'while an error is read',
    30,
    (response) => {
      response.writeHead(500).write('{"err');
    },
  ],
] satisfies [string, number, Reply][])(
  'aborted %s, it throws the reason and leaves no connection [G2]',
  async (_, afterMs, reply) => {
    const call = await serve(reply);
    const stop = new AbortController();
    const reason = new Error('the person said stop');
    if (afterMs === 0) stop.abort(reason);
    else setTimeout(() => stop.abort(reason), afterMs);
    await expect(eventsOf(call, stop.signal)).rejects.toBe(reason);
    expect(await server?.isDeserted()).toBe(true);
  },
);

test('aborted while it connects, it throws the reason [G2]', async () => {
  const stop = new AbortController();
  const work = eventsOf(callTo('http://127.0.0.1:1'), stop.signal);
  stop.abort(new Error('stop'));
  await expect(work).rejects.toThrow('stop');
});

test('aborted while the reader is busy, the connection closes at once and nothing more is read [G2]', async () => {
  const call = await serve(streams('data: 1\n\ndata: 2\n\n', 9));
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { data } of postForEvents(call, stop.signal)) {
      seen.push(data);
      stop.abort(new Error('stop'));
      expect(await server?.isDeserted()).toBe(true);
    }
  })();
  await expect(reading).rejects.toThrow('stop');
  expect(seen).toEqual(['1']);
});

test('something that does not speak HTTP is reported as such [G3]', async () => {
  const other = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const failure = await failureOf(eventsOf(callTo(`http://127.0.0.1:${address.port}`)));
  expect(failure).toMatchObject({ code: 'model_nonsense', problem: 'the response is not HTTP' });
  await new Promise((resolve) => other.close(resolve));
});

test('one JSON object can be asked for, and anything else is nonsense [G1]', async () => {
  const call = await serve(answers(200, '{"models":["a"]}'), answers(200, '[1]'));
  expect(await requestJson({ ...call, body: null }, never)).toEqual({ models: ['a'] });
  expect(server?.received[0]).toMatchObject({ method: 'GET', body: null });
  expect(await failureOf(requestJson(call, never))).toMatchObject({ code: 'model_nonsense', excerpt: '[1]' });
});
