import { scriptedProvider } from '@countersign/models';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

async function start(script: Parameters<typeof scriptedProvider>[0]) {
  const provider = scriptedProvider(script);
  serving = await Serving.start({ provider });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const idle = () => until(async () => must(await client.showSession({ sessionId })).state === 'idle');
  return { serving, provider, client, sessionId, idle };
}

test('a message is worked on after the answer, and what the model says is streamed, then kept [W1]', async () => {
  const { client, sessionId } = await start([[{ text: 'Hello, ' }, { delayMs: 20 }, { text: 'world.' }]]);
  const stop = new AbortController();
  const stream = must(await client.events({ sessionId }, { signal: stop.signal }));
  must(await client.sendMessage({ sessionId, body: { text: 'Say hello' } }));
  const pieces: unknown[] = [];
  for await (const { event, data } of stream) {
    if (event === 'agent') pieces.push(data);
    if (JSON.stringify(data).includes('"role":"model"')) break;
  }
  stop.abort();
  expect(pieces.slice(0, 2)).toEqual([
    { type: 'content', value: 'Hello, ' },
    { type: 'content', value: 'world.' },
  ]);
  expect(must(await client.showSession({ sessionId })).title).toBe('Say hello');
  const { facts } = must(await client.listFacts({ sessionId, type: 'message', by: 'ann' }));
  expect(facts).toHaveLength(1);
});

test('a message that is sent while the model works is heard by it before it ends [G2]', async () => {
  const { client, sessionId, provider, idle } = await start([
    [{ delayMs: 100 }, { text: 'First.' }],
    [{ text: 'Second.' }],
  ]);
  must(await client.sendMessage({ sessionId, body: { text: 'One' } }));
  must(await client.sendMessage({ sessionId, body: { text: 'Two' } }));
  await idle();
  await until(async () => provider.requests.length === 2);
  expect(JSON.stringify(provider.requests[1]?.contents)).toContain('Two');
});

test('after a restart the answer to a question lets the model go on where it was [A6] [J2]', async () => {
  const {
    serving: server,
    client,
    sessionId,
    provider,
  } = await start([[{ call: 'count', args: { word: 'asked by the model' } }], [{ text: 'Done.' }]]);
  must(await client.sendMessage({ sessionId, body: { text: 'Count' } }));
  const [asked] = await until(async () => {
    const { approvals } = must(await client.listApprovals({}));
    return approvals.length > 0 && approvals;
  });
  if (!asked) throw new Error('nothing is asked');
  await server.end();
  await server.begin();
  const { callId, digest } = asked;
  must(
    await server.client().answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }),
  );
  await until(async () => provider.requests.length === 2);
  expect(server.counted).toEqual(['asked by the model']);
  expect(JSON.stringify(provider.requests[1]?.contents)).toContain('Counted.');
});

test('cancelling everything stops the model too [L5]', async () => {
  const { client, sessionId, provider, idle } = await start([
    [{ call: 'count', args: { word: 'never' } }],
    [{ text: 'This is not asked for.' }],
  ]);
  must(await client.sendMessage({ sessionId, body: { text: 'Count' } }));
  await until(async () => must(await client.listApprovals({})).total === 1);
  must(await client.cancel({ sessionId, body: { target: { type: 'all' } } }));
  await idle();
  expect(provider.requests).toHaveLength(1);
});

test('a model that fails is told to whoever listens, and not asked again until somebody speaks [G3]', async () => {
  const failure = { code: 'model_rejected', provider: 'Test', status: 400, message: 'no' } as const;
  const { client, sessionId, provider, idle } = await start([[{ fail: failure }], [{ text: 'Better.' }]]);
  const stop = new AbortController();
  const stream = must(await client.events({ sessionId }, { signal: stop.signal }));
  must(await client.sendMessage({ sessionId, body: { text: 'Hello' } }));
  for await (const { event, data } of stream)
    if (event === 'agent' && JSON.stringify(data).includes('model_rejected')) break;
  stop.abort();
  await idle();
  expect(provider.requests).toHaveLength(1);
  must(await client.sendMessage({ sessionId, body: { text: 'Again' } }));
  await until(async () => provider.requests.length === 2);
});
