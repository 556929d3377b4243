import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, type ServerLimits, startServer } from '@countersign/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Serving, TOKENS, until } from './serving.js';

let serving: Serving;
let server: RunningServer | null = null;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(async () => {
  await server?.close();
  server = null;
  await serving.close();
});

const bearer = { authorization: `Bearer ${TOKENS[0]?.token}` };
const requestOf = (path: string, port: number): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nAuthorization: ${bearer.authorization}\r\n\r\n`;

/** A server of the same store. */
async function another(
  tokens: () => Promise<typeof TOKENS>,
  limits: Partial<ServerLimits>,
): Promise<RunningServer> {
  server = await startServer({
    ports: await serving.ports(),
    tokens: { tokens },
    binding: { address: '127.0.0.1', port: 0, names: [], tls: null, exposure: 'this machine' },
    page: null,
    limits,
  });
  return server;
}

/** Long enough for this machine to notice that a connection was closed. */
const NOTICED_MS = 100;

test('a client that disconnects before its stream begins is not counted as a listener [W4]', async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slowTokens = async () => {
    isAsked();
    await opened;
    return TOKENS;
  };
  const { port, url } = await another(slowTokens, { streamsPerClient: 1 });
  const socket = connect(port, '127.0.0.1', () => socket.write(requestOf('/api/events', port)));
  await asked;
  socket.destroy();
  await sleep(NOTICED_MS);
  open();
  const figures = await until(async () => {
    const response = await fetch(`${url}/metrics`, { headers: bearer });
    return response.ok && response.text();
  });
  expect(figures).toMatch(/^countersign_event_streams 0$/m);
  const stop = new AbortController();
  const { status } = await fetch(`${url}/api/events`, { headers: bearer, signal: stop.signal });
  stop.abort();
  expect(status).toBe(200);
});

/** More than connections hold on their own, in more pages than anything may have listeners unnoticed. */
async function longSession(): Promise<string> {
  const sessionId = 'long';
  const owned = await serving.journal.own(sessionId);
  if (!owned.ok) throw new Error(owned.failure.code);
  const opened = {
    type: 'session.opened',
    epoch: 1,
    at: 1,
    workspace: serving.workspace,
    mode: 'manual',
  } as const;
  const switched = { type: 'mode.changed', mode: 'manual', by: 'x'.repeat(2_000), at: 1 } as const;
  for (let page = 0; page < 14; page++)
    await serving.journal.append({
      sessionId,
      expectedSeq: page * 500,
      token: owned.token,
      events: Array.from({ length: 500 }, (_, index) => (page + index === 0 ? opened : switched)),
      views: [],
      claims: [],
      consumed: [],
      sync: 'normal',
    });
  await serving.journal.release(sessionId, owned.token);
  return sessionId;
}

test('an export that waits for its reader many times adds no listeners to the connection [W4]', async () => {
  const sessionId = await longSession();
  const warnings: string[] = [];
  const warn = ({ name }: Error) => warnings.push(name);
  process.on('warning', warn);
  const response = await fetch(`${serving.server.url}/api/sessions/${sessionId}/export`, { headers: bearer });
  let lines = 0;
  for await (const chunk of response.body ?? []) {
    lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
    await sleep(1);
  }
  process.off('warning', warn);
  expect([lines, warnings]).toEqual([7_000, []]);
});

test('an export whose reader reads nothing is cut off [W3]', async () => {
  const sessionId = await longSession();
  const { port } = await another(async () => TOKENS, { slowClientMs: 200 });
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(requestOf(`/api/sessions/${sessionId}/export`, port)),
  );
  await once(socket, 'readable');
  await sleep(1_000);
  let bytes = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  expect(bytes).toBeLessThan(14_000_000);
});

/** A session of another process that takes nothing out of its inbox. */
async function silentOwner(sessionId: string) {
  const store = await serving.openStore();
  const owned = await store.own(sessionId);
  if (!owned.ok) throw new Error('the session is new');
  await store.append({
    sessionId,
    expectedSeq: 0,
    token: owned.token,
    events: [{ type: 'session.opened', epoch: 1, at: 1, workspace: serving.workspace, mode: 'manual' }],
    views: [],
    claims: [],
    consumed: [],
    sync: 'normal',
  });
  return store;
}

test('a command whose client disconnects before the owner accepts it is withdrawn: an answer, a mode, a cancellation [A5] [W4]', async () => {
  const store = await silentOwner('silent');
  const { url } = await another(async () => TOKENS, { ownerTimeoutMs: 60_000 });
  const posts: readonly (readonly [string, object])[] = [
    ['/api/approvals/answer', { sessionId: 'silent', callId: 'c', digest: 'd', outcome: 'proceed_once' }],
    ['/api/sessions/silent/mode', { mode: 'yolo' }],
    ['/api/sessions/silent/cancel', { target: { type: 'all' } }],
  ];
  for (const [path, body] of posts) {
    const stop = new AbortController();
    const sent = fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: stop.signal,
    });
    sent.catch(() => {});
    await until(async () => (await store.inbox('silent')).length === 1);
    stop.abort();
    await until(async () => (await store.inbox('silent')).length === 0);
    await expect(sent).rejects.toThrow();
  }
  await store.close();
});
