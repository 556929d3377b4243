import type { ServerEvent, SessionMessage } from '@countersign/server/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendBytes } from './raw-http.js';
import { must, Serving, TOKENS, until } from './serving.js';

let serving: Serving;
let stop: AbortController;
beforeEach(async () => {
  serving = await Serving.start();
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await serving.close();
});

const bearer = { authorization: `Bearer ${TOKENS[0]?.token}` };
const newSession = async (): Promise<string> =>
  must(await serving.client().createSession({ body: {} })).sessionId;
const work = (sessionId: string) =>
  serving
    .client()
    .issueCalls({ sessionId, body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] } });
const stored = async (sessionId: string) => (await serving.journal.read(sessionId, 0)).map(({ seq }) => seq);

/** The message of a session in an event; null if the event is of the inbox. */
const messageIn = ({ event, data }: ServerEvent): SessionMessage | null =>
  event === 'session' ? (data as SessionMessage) : null;

function seqsOf(sessionId: string, events: readonly ServerEvent[]): readonly number[] {
  return events
    .flatMap((event) => messageIn(event) ?? [])
    .filter((message) => message.sessionId === sessionId && message.event === 'fact')
    .map(({ data }) => (data as { readonly seq: number }).seq);
}

/** When nothing comes for this long, nothing more will. */
const QUIET_MS = 200;

/** Reads the stream as a browser does, by its address and the last id, until there is enough or nothing more comes. */
async function take(
  query: string,
  lastEventId: string | null,
  enough: (received: readonly ServerEvent[]) => boolean,
): Promise<readonly ServerEvent[]> {
  const quiet = new AbortController();
  const response = await fetch(`${serving.server.url}/api/events?${query}`, {
    signal: AbortSignal.any([stop.signal, quiet.signal]),
    headers: {
      ...bearer,
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
  });
  expect(response.status).toBe(200);
  const received: ServerEvent[] = [];
  let text = '';
  let timer = setTimeout(() => quiet.abort(), QUIET_MS);
  try {
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), QUIET_MS);
      text += new TextDecoder().decode(chunk);
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
        const [event, data, id] = [field('event'), field('data'), field('id')];
        if (event === undefined || data === undefined) continue;
        received.push({ event, data: JSON.parse(data), ...(id !== undefined && { id }) });
        if (enough(received)) return received;
      }
    }
  } catch (thrown) {
    if (!quiet.signal.aborted) throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return received;
}

test('one connection carries the inbox and several sessions, and continues in all of them after any event [W1]', async () => {
  const [a, b] = [await newSession(), await newSession()];
  const working = (async () => {
    for (let round = 0; round < 10; round++) await Promise.all([work(a), work(b)]);
    await serving.ask('the last', b);
  })();
  const received: ServerEvent[] = [];
  const isAsked = ({ event, data }: ServerEvent) =>
    event === 'change' && JSON.stringify(data).includes('"approval.asked"');
  const hasAll = async () =>
    seqsOf(a, received).length === (await stored(a)).length &&
    seqsOf(b, received).length === (await stored(b)).length &&
    received.some(isAsked);
  let isDone = false;
  void working.then(() => {
    isDone = true;
  });
  // Cut after 1, 2, 3 … events, each time with the address it began with.
  for (let cut = 1; !isDone || !(await hasAll()); cut++) {
    const last = received.findLast(({ id }) => id !== undefined)?.id ?? null;
    received.push(...(await take(`sessions=${a},${b}`, last, (all) => all.length >= cut % 25)));
    expect(cut).toBeLessThan(500);
  }
  await working;
  expect(seqsOf(a, received)).toEqual(await stored(a));
  expect(seqsOf(b, received)).toEqual(await stored(b));
  // Greeted once: after that every change of the inbox was sent once.
  expect(received.filter(({ event }) => event === 'hello')).toHaveLength(1);
  const changes = received.filter(({ event }) => event === 'change').map(({ id = '' }) => id.split('&')[0]);
  expect(new Set(changes).size).toBe(changes.length);
  expect(received.filter(isAsked)).toHaveLength(1);
});

test('the generated client begins each session at its own cursor, after any earlier stream [W1]', async () => {
  const [a, b] = [await newSession(), await newSession()];
  must(await work(a));
  await until(async () => must(await serving.client().showSession({ sessionId: a })).state === 'idle');
  const follow = async (
    sessions: readonly { readonly sessionId: string; readonly after?: number }[],
    lastEventId: string | undefined,
    count: number,
  ) => {
    const received: ServerEvent[] = [];
    const options = { signal: stop.signal, ...(lastEventId !== undefined && { lastEventId }) };
    for await (const event of must(await serving.client().events({ sessions }, options))) {
      received.push(event);
      if (received.length === count) break;
    }
    return received;
  };
  const all = (await stored(a)).length;
  const whole = await follow([{ sessionId: a }], undefined, 1 + all);
  expect(seqsOf(a, whole)).toEqual(await stored(a));
  // The window changes to another session, and back to where it was in the first.
  const last = whole.at(-1)?.id;
  const opened = await follow([{ sessionId: b }], last, 1);
  expect(seqsOf(b, opened)).toEqual([0]);
  const rest = await follow([{ sessionId: a, after: 1 }], opened.at(-1)?.id, all - 2);
  expect(seqsOf(a, rest)).toEqual((await stored(a)).slice(2));
});

test('a session that does not exist, or is deleted, is reported as such, and the rest continues [W1]', async () => {
  const [a, b] = [await newSession(), await newSession()];
  const refusedIn = (received: readonly ServerEvent[]) =>
    received.map(messageIn).flatMap((message) => (message?.event === 'refused' ? [message] : []));
  const received: ServerEvent[] = [];
  const sessions = [{ sessionId: a }, { sessionId: 'nobody' }, { sessionId: b, after: 99 }];
  const stream = must(await serving.client().events({ sessions }, { signal: stop.signal }));
  const reading = (async () => {
    for await (const event of stream) received.push(event);
  })();
  await until(async () => refusedIn(received).length === 2);
  must(await serving.client().deleteSession({ sessionId: a }));
  await until(async () => refusedIn(received).length === 3);
  const codes = refusedIn(received).map(
    ({ sessionId, data }) => [sessionId, (data as { readonly code: string }).code] as const,
  );
  expect(Object.fromEntries(codes)).toEqual({
    [a]: 'unknown_session',
    [b]: 'events_ahead',
    nobody: 'unknown_session',
  });
  const { callId } = await serving.ask('afterwards', b);
  await until(async () => JSON.stringify(received).includes(callId));
  stop.abort();
  await reading;
});

const LISTS: readonly (readonly [string, string])[] = [
  ['nothing between commas', 'sessions=,'],
  ['one twice', 'sessions=a,a'],
  ['words for a number', 'sessions=a:x'],
  ['less than nothing', 'sessions=a:-1'],
  ['two numbers', 'sessions=a:1:2'],
  ['a number without a name', 'sessions=:1'],
  ['bytes that are no text', 'sessions=%25ff'],
  [
    'more than a person follows',
    `sessions=${Array.from({ length: 17 }, (_, index) => `s${index}`).join(',')}`,
  ],
  ['a name without end', `sessions=${'x'.repeat(9_000)}`],
  ['two lists', 'sessions=a&sessions=b'],
  ['another word for it', 'session=a'],
];
test.each(LISTS)('a list of sessions with %s is refused [W3]', async (_, query) => {
  const answer = await fetch(`${serving.server.url}/api/events?${query}`, { headers: bearer });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('"invalid_input"')]);
});

test.each(['x&', 'x&a', 'x&a=', 'x&a=1=2', 'x&a=-1', 'x&%ff=1', 'x&a=1e3'])(
  'Last-Event-ID "%s" is refused [W3]',
  async (lastEventId) => {
    const answer = await fetch(`${serving.server.url}/api/events?sessions=a`, {
      headers: { ...bearer, 'last-event-id': lastEventId },
    });
    expect(answer.status).toBe(400);
  },
);

test('a name that looks like a list is one name, and is sent as one [W1]', async () => {
  const stream = must(
    await serving.client().events({ sessions: [{ sessionId: 'a,b:1&c=2 "ü"' }] }, { signal: stop.signal }),
  );
  const names: string[] = [];
  for await (const event of stream) {
    const message = messageIn(event);
    if (message) names.push(message.sessionId);
    if (message) break;
  }
  expect(names).toEqual(['a,b:1&c=2 "ü"']);
});

test('sixteen sessions on one connection are followed without a warning of too many listeners [W4]', async () => {
  const warnings: string[] = [];
  const warn = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warn);
  try {
    const sessions = await Promise.all(Array.from({ length: 16 }, newSession));
    const { port } = serving.server;
    const response = await sendBytes(
      port,
      `GET /api/events?sessions=${sessions.join(',')} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${bearer.authorization}\r\n\r\n`,
    );
    const names = Array.from(response.matchAll(/"sessionId":"([^"]+)","event":"fact"/g), ([, name]) => name);
    expect(new Set(names)).toEqual(new Set(sessions));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', warn);
  }
});
