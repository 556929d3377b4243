import type { Tool } from '@countersign/engine';
import { scriptedProvider } from '@countersign/models';
import { startServer } from '@countersign/server';
import { createClient } from '@countersign/server/client';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, TOKENS, until } from './serving.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

async function start(script: Parameters<typeof scriptedProvider>[0], tools: readonly Tool[] = []) {
  const provider = scriptedProvider(script);
  serving = await Serving.start({ provider, tools });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const idle = () => until(async () => must(await client.showSession({ sessionId })).state === 'idle');
  return { serving, provider, client, sessionId, idle };
}

test('a message is worked on after the response, and the text of the model is streamed, then stored [W1]', async () => {
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

test('a message that is sent while the model works reaches it before it ends [G2]', async () => {
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

test('after a restart the answer to a question lets the model continue where it was [A6] [J2]', async () => {
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

test('a failure of the model reaches every listener, and the model is not called again until the next message [G3]', async () => {
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

test('a message that is sent while the model is being stopped is worked on when it has stopped [L5] [G2]', async () => {
  let isFreed = () => {};
  const freed = new Promise<void>((resolve) => {
    isFreed = resolve;
  });
  const slow: Tool = {
    name: 'linger',
    displayName: 'Linger',
    description: 'Takes its time to stop.',
    kind: 'read',
    inputSchema: { type: 'object', properties: {} },
    canUpdateOutput: false,
    check: (args) => ({ ok: true, args }),
    plan: () => ({ title: 'Linger', resources: [], repeat: 'safe' }),
    run: async () => {
      await freed;
      return { llmContent: 'Stopped.', returnDisplay: 'Stopped.' };
    },
  };
  const { client, sessionId, provider } = await start(
    [[{ call: 'linger', args: {} }], [{ text: 'Something else, then.' }]],
    [slow],
  );
  must(await client.setMode({ sessionId, body: { mode: 'yolo' } }));
  must(await client.sendMessage({ sessionId, body: { text: 'Linger' } }));
  await until(async () => must(await client.listFacts({ sessionId, type: 'call.started' })).facts.length > 0);
  must(await client.cancel({ sessionId, body: { target: { type: 'all' } } }));
  must(await client.sendMessage({ sessionId, body: { text: 'Do something else' } }));
  isFreed();
  await until(async () => provider.requests.length === 2);
  expect(JSON.stringify(provider.requests[1]?.contents)).toContain('Do something else');
});

test('cancelling everything stops a message whose model is still being selected [L5]', async () => {
  let isLookedFor = () => {};
  const lookedFor = new Promise<void>((resolve) => {
    isLookedFor = resolve;
  });
  let isFound = () => {};
  const found = new Promise<void>((resolve) => {
    isFound = resolve;
  });
  const { serving: store, provider } = await start([[{ text: 'Too late.' }], [{ text: 'In time.' }]]);
  const ports = await store.ports();
  const server = await startServer({
    ports: {
      ...ports,
      openSession: async (request) => {
        const opening = await ports.openSession(request);
        if (!opening.ok) return opening;
        const agent = async () => {
          isLookedFor();
          await found;
          return opening.opened.agent();
        };
        return { ok: true, opened: { ...opening.opened, agent } };
      },
    },
    tokens: { tokens: async () => TOKENS },
    binding: { address: '127.0.0.1', port: 0, names: [], tls: null, exposure: 'this machine' },
    page: null,
  });
  const client = createClient({ url: server.url, token: TOKENS[0]?.token ?? '' });
  const { sessionId } = must(await client.createSession({ body: {} }));
  const sending = client.sendMessage({ sessionId, body: { text: 'Do not do this after all' } });
  await lookedFor;
  must(await client.cancel({ sessionId, body: { target: { type: 'all' } } }));
  isFound();
  const sent = await sending;
  if (sent.ok) throw new Error('the message was taken');
  expect([sent.error.status, sent.error.code]).toEqual([409, 'stopped_meanwhile']);
  expect(must(await client.listFacts({ sessionId, type: 'message' })).facts).toEqual([]);
  must(await client.sendMessage({ sessionId, body: { text: 'This' } }));
  await until(async () => provider.requests.length === 1);
  expect(JSON.stringify(provider.requests[0]?.contents)).not.toContain('after all');
  await server.close();
});
