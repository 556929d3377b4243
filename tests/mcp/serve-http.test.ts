import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { CLIENT, connected, listening, waiting, waitingIn, wordsIn } from './served.js';

const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
};
const WRITE = { name: 'write_file', arguments: { file_path: 'b.txt', content: 'new' } };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

type Headers = { readonly [name: string]: string };

/** Our server as it is seen on the wire. */
async function wireTo(place: Place) {
  const { url, token } = await listening(place);
  const send = (method: string, headers: Headers, body: string | null, signal?: AbortSignal) =>
    fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body,
      signal: signal ?? null,
    });
  const begin = async (): Promise<Headers> => {
    const answer = await send('POST', {}, JSON.stringify(HELLO));
    await answer.text();
    return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  };
  return { url, token, send, begin };
}

type Event = { readonly id: string; readonly data: string };

/** The events of a stream, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1] ?? '';
      if (!event.startsWith(':')) yield { id: field('id'), data: field('data') };
    }
  }
}

test('a client that loses the connection while a call waits reconnects and receives the response once [M4]', async ({
  place,
}) => {
  const { send, begin } = await wireTo(place);
  const session = await begin();
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: WRITE };
  const leave = new AbortController();
  const stream = await send('POST', session, JSON.stringify(call), leave.signal);
  const first = await eventsOf(stream).next();
  const seen = first.done ? '' : first.value.id;
  expect(seen).not.toBe('');
  const id = await waitingIn(place);
  leave.abort();
  await place.run(['approvals', 'answer', id, 'proceed_once']);
  await expect.poll(() => place.has('b.txt')).toBe(true);
  const answers: string[] = [];
  await expect
    .poll(
      async () => {
        const again = await send('GET', { ...session, 'last-event-id': seen }, null);
        for await (const { data } of eventsOf(again)) answers.push(data);
        return answers.length;
      },
      { timeout: 5_000 },
    )
    .toBe(1);
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
  const made = await send('GET', { ...session, 'last-event-id': 'made-up/3' }, null);
  expect(made.status).toBe(400);
  // Nothing is revealed about another session.
  const other = await send('GET', { ...(await begin()), 'last-event-id': seen }, null);
  expect(other.status).toBe(400);
});

test('the official client whose connection is cut during an approval has its answer anyway [M4] [C4]', async ({
  place,
}) => {
  const { url, token } = await listening(place);
  const lines = new Set<AbortController>();
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (address, init) => {
      const line = new AbortController();
      lines.add(line);
      const signals = [line.signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(address, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const client = await connected(transport);
  const writing = client.callTool(WRITE);
  const id = await waitingIn(place);
  for (const line of lines) line.abort(new Error('the cable is cut'));
  await place.run(['approvals', 'answer', id, 'proceed_once']);
  expect((await writing).isError).toBeUndefined();
  expect(place.read('b.txt')).toBe('new');
});

test('the session of a client that ends it is closed, and its open questions stay open [M4]', async ({
  place,
}) => {
  const { send, begin } = await wireTo(place);
  const session = await begin();
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: WRITE };
  const stream = await send('POST', session, JSON.stringify(call));
  const id = await waitingIn(place);
  expect((await send('DELETE', session, null)).status).toBe(200);
  expect(await stream.text()).not.toContain('"result"');
  expect((await send('POST', session, JSON.stringify(LIST))).status).toBe(404);
  expect((await send('DELETE', session, null)).status).toBe(404);
  expect((await send('GET', session, null)).status).toBe(404);
  expect(await waiting(place, (ids) => ids.length === 1)).toEqual([id]);
});

test('there are 64 clients at most, however fast they connect; one that disconnects makes room [M4]', async ({
  place,
}) => {
  const { send } = await wireTo(place);
  const statuses = await Promise.all(
    Array.from({ length: 80 }, async () => {
      const answer = await send('POST', {}, JSON.stringify(HELLO));
      await answer.text();
      return { status: answer.status, id: answer.headers.get('mcp-session-id') ?? '' };
    }),
  );
  const [welcome, refused] = [200, 503].map((wanted) => statuses.filter(({ status }) => status === wanted));
  expect([welcome?.length, refused?.length]).toEqual([64, 16]);
  await send('DELETE', { 'mcp-session-id': welcome?.[0]?.id ?? '' }, null);
  expect((await send('POST', {}, JSON.stringify(HELLO))).status).toBe(200);
});

test('what is no request of the protocol is refused, and leaves nothing behind [M4]', async ({ place }) => {
  const { send, begin } = await wireTo(place);
  const session = await begin();
  const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status;
  expect(await statusOf('POST', session, 'no JSON')).toBe(400);
  expect(await statusOf('POST', session, '{"jsonrpc":"2.0"}')).toBe(400);
  expect(await statusOf('POST', session, JSON.stringify({ ...LIST, x: 'y'.repeat(11_000_000) }))).toBe(413);
  expect(await statusOf('POST', { ...session, 'content-type': 'text/plain' }, JSON.stringify(LIST))).toBe(
    415,
  );
  expect(await statusOf('POST', { ...session, accept: 'text/html' }, JSON.stringify(LIST))).toBe(406);
  expect(await statusOf('POST', { ...session, 'mcp-protocol-version': '1' }, JSON.stringify(LIST))).toBe(400);
  expect(await statusOf('PUT', session, JSON.stringify(LIST))).toBe(405);
  expect(await statusOf('GET', {}, null)).toBe(400);
  expect(await statusOf('POST', session, JSON.stringify(HELLO))).toBe(400);
  expect(await statusOf('POST', session, JSON.stringify(LIST))).toBe(200);
});

test('a client of the protocol of 2026 is served over HTTP, too [M4]', async ({ place }) => {
  const { url, token } = await listening(place);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = new Client(CLIENT, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const listed = await client.callTool({ name: 'list_directory', arguments: { dir_path: '.' } });
  expect(wordsIn(listed)).toContain('is empty');
});
