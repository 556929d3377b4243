import { connect } from 'node:net';
import { openSession, Toolbox } from '@countersign/engine';
import type { ServerEvent } from '@countersign/server/client';
import { plainPolicy } from '@countersign/testkit';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { sendBytes } from './raw-http.js';
import { must, Serving, type ServingOptions, TOKENS, until } from './serving.js';

let serving: Serving;
afterEach(() => serving.close());
const start = async (options: ServingOptions = {}) => {
  serving = await Serving.start(options);
};

const isFact = ({ event }: ServerEvent) => event === 'fact';
const seqOf = ({ id }: ServerEvent) => Number(id);

/** Facts as the store has them. */
async function stored(sessionId: string): Promise<readonly number[]> {
  return (await serving.journal.read(sessionId, 0)).map(({ seq }) => seq);
}

async function makeWork(sessionId: string, count: number): Promise<void> {
  const client = serving.client();
  for (let done = 0; done < count; done++)
    must(
      await client.issueCalls({
        sessionId,
        body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] },
      }),
    );
}

test('a stream that breaks off at any place continues without gap or repeat [W1]', async () => {
  await start();
  const ann = serving.client();
  const { sessionId } = must(await ann.createSession({ body: {} }));
  let isWorking = true;
  const work = makeWork(sessionId, 25).then(() => {
    isWorking = false;
  });
  // How many facts each connection takes before it is cut.
  const cuts =
    fc.sample(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 60, maxLength: 60 }), {
      numRuns: 1,
      seed: 7,
    })[0] ?? [];
  const received: number[] = [];
  for (const cut of cuts) {
    const stop = new AbortController();
    const last = received.at(-1);
    const options = { signal: stop.signal, ...(last !== undefined && { lastEventId: String(last) }) };
    // The address is always the same, as a browser has it: how far it got counts, not where it once began.
    const stream = must(await ann.events({ sessionId, ...(received.length > 50 && { after: 0 }) }, options));
    let taken = 0;
    const quiet = setTimeout(() => stop.abort(), 150);
    for await (const event of stream) {
      if (!isFact(event)) continue;
      received.push(seqOf(event));
      if (++taken >= cut) break;
    }
    clearTimeout(quiet);
    stop.abort();
    if (!isWorking && received.length === (await stored(sessionId)).length) break;
  }
  await work;
  await until(async () => received.length <= (await stored(sessionId)).length);
  expect(received).toEqual((await stored(sessionId)).slice(0, received.length));
  expect(received.length).toBeGreaterThan(100);
});

test('a session of another process is followed live, and so is one whose owner changes [W1]', async () => {
  await start();
  const sessionId = 'elsewhere';
  const store = await serving.openStore();
  const parts = {
    workspace: serving.workspace,
    tools: new Toolbox([]),
    policy: plainPolicy(),
    classify: () => ({ place: 'workspace' as const, guarded: null }),
  };
  const open = async () => {
    const opened = await openSession({ ...parts, journal: store, sessionId });
    if (!opened.ok) throw new Error(opened.failure.code);
    return opened.session;
  };
  const stop = new AbortController();
  try {
    const there = await open();
    const received: ServerEvent[] = [];
    const stream = must(await serving.client().events({ sessionId }, { signal: stop.signal }));
    const reading = (async () => {
      for await (const event of stream) received.push(event);
    })();
    await there.send({ type: 'set-mode', mode: 'plan', by: 'them' });
    await until(async () => received.some(({ data }) => JSON.stringify(data).includes('"mode":"plan"')));
    await there.dispose();
    // Taken up here …
    must(await serving.client().setMode({ sessionId, body: { mode: 'manual' } }));
    must(
      await serving!
        .client()
        .issueCalls({ sessionId, body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] } }),
    );
    await until(async () => received.some(({ data }) => JSON.stringify(data).includes('turn.ended')));
    stop.abort();
    await reading;
    // … and everything was received once, in order.
    expect(received.filter(isFact).map(seqOf)).toEqual(await stored(sessionId));
  } finally {
    stop.abort();
    await store.close();
  }
});

test('live output is sent as it happens, and is not stored [W1]', async () => {
  await start();
  const ann = serving.client();
  const { sessionId } = must(await ann.createSession({ body: { mode: 'yolo' } }));
  const stop = new AbortController();
  const stream = must(await ann.events({ sessionId }, { signal: stop.signal }));
  const command = 'for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done';
  must(
    await ann.issueCalls({ sessionId, body: { calls: [{ name: 'run_shell_command', args: { command } }] } }),
  );
  const kinds: string[] = [];
  for await (const { event, data, id } of stream) {
    if (event === 'live') {
      expect(id).toBeUndefined();
      kinds.push(event);
    }
    if (JSON.stringify(data).includes('turn.ended')) break;
  }
  stop.abort();
  expect(kinds).toContain('live');
});

test('a client that reads nothing is disconnected, delays neither others nor the engine, and resumes exactly [W4]', async () => {
  await start({ limits: { slowClientMs: 300 } });
  const ann = serving.client();
  const { sessionId } = must(await ann.createSession({ body: { mode: 'auto_edit' } }));
  const { port } = serving.server;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKENS[0]?.token}\r\n\r\n`,
  );
  // Nothing is read from it, while much more happens than a connection holds.
  socket.pause();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  const content = 'x'.repeat(1_000_000);
  for (let round = 0; round < 12; round++)
    must(
      await ann.issueCalls({
        sessionId,
        body: { calls: [{ name: 'write_file', args: { file_path: `f${round}`, content } }] },
      }),
    );
  const metrics = async () =>
    sendBytes(
      port,
      `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKENS[0]?.token}\r\nConnection: close\r\n\r\n`,
    );
  await until(async () => (await metrics()).includes('countersign_event_streams 0'));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.resume();
  await closed;
  const ids = Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));
  // The last frame may be cut in the middle; one before it is whole.
  const last = ids.at(-2) ?? -1;
  await until(async () => must(await ann.showSession({ sessionId })).state === 'idle');
  const stop = new AbortController();
  const all = await stored(sessionId);
  const rest: number[] = [];
  // However often it is cut off on the way.
  while (rest.at(-1) !== all.at(-1)) {
    const lastEventId = String(rest.at(-1) ?? last);
    for await (const event of must(await ann.events({ sessionId }, { signal: stop.signal, lastEventId }))) {
      if (isFact(event)) rest.push(seqOf(event));
      if (rest.at(-1) === all.at(-1)) break;
    }
  }
  stop.abort();
  expect([...ids.slice(0, -1), ...rest]).toEqual(all);
});

test('an idle stream sends heartbeats, and the streams of a client are limited [W3]', async () => {
  await start({ limits: { heartbeatMs: 20, streamsPerClient: 2 } });
  const ann = serving.client();
  const { sessionId } = must(await ann.createSession({ body: {} }));
  const { port } = serving.server;
  const request = `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKENS[0]?.token}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  await until(async () => (text.match(/^:$/gm)?.length ?? 0) >= 2);
  const stop = new AbortController();
  must(await ann.events('inbox', { signal: stop.signal }));
  const refused = await ann.events('inbox', { signal: stop.signal });
  expect(refused.ok || [refused.error.status, refused.error.code]).toEqual([429, 'too_many_streams']);
  // Each has its own.
  must(await serving.client('bob').events('inbox', { signal: stop.signal }));
  socket.destroy();
  await until(async () => (await ann.events('inbox', { signal: stop.signal })).ok);
  stop.abort();
});

test('the inbox streams questions and answers of all sessions, and resumes without gap or repeat [W1] [A5]', async () => {
  await start();
  const ann = serving.client();
  const stop = new AbortController();
  const take = async (
    options: { readonly lastEventId?: string },
    enough: (all: readonly ServerEvent[]) => boolean,
  ) => {
    const received: ServerEvent[] = [];
    for await (const event of must(await ann.events('inbox', { signal: stop.signal, ...options }))) {
      received.push(event);
      if (enough(received)) break;
    }
    return received;
  };
  const [hello] = await take({}, (all) => all.length === 1);
  expect([hello?.event, hello?.data]).toEqual(['hello', { waiting: 0 }]);
  const first = await serving.ask('first');
  const second = await serving.ask('second');
  must(await serving.client('bob').answerApproval({ body: { ...first, outcome: 'cancel' } }));
  const contains = (all: readonly ServerEvent[], text: string) =>
    all.some(({ data }) => JSON.stringify(data).includes(text));
  const before = await take({ lastEventId: hello?.id ?? '' }, (all) => contains(all, 'second'));
  const after = await take({ lastEventId: before.at(-1)?.id ?? '' }, (all) => contains(all, '"by":"bob"'));
  const ids = [...before, ...after].map(({ id }) => Number(id?.split('-')[1]));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
  const changes = [...before, ...after]
    .map(({ data }) => JSON.stringify(data))
    .filter((text) => text.includes('approval.'));
  expect(changes).toHaveLength(3);
  expect(changes[2]).toContain(`"callId":"${first.callId}"`);
  // The id is no longer known: everything is listed again.
  const [again] = await take({ lastEventId: 'other-12' }, (all) => all.length === 1);
  expect([again?.event, again?.data]).toEqual(['hello', { waiting: 1 }]);
  expect(second.callId).not.toBe(first.callId);
  stop.abort();
});
