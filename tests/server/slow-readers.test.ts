import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longSession } from './long-session.js';
import { Serving, TOKENS } from './serving.js';

let serving: Serving;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  serving = await Serving.start({
    limits: { slowClientMs: 500, bufferedBytesPerPerson: 1_000_000, bufferedBytesMax: 2_000_000 },
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await serving.close();
});

const FACTS = 60;
/** Large enough that connections take a few of them on their own, and not all. */
const LENGTH = { facts: FACTS, charsPerFact: 400_000 };

function ask(path: string, lastEventId: string | null, name: 'ann' | 'bob' = 'ann'): Socket {
  const { port } = serving.server;
  const token = TOKENS.find((each) => each.name === name)?.token;
  const last = lastEventId === null ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${last}\r\n`,
    ),
  );
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** The ids of whole events, as a browser would count them, until the connection ends or there are enough. */
async function idsOf(socket: Socket, enough: number): Promise<readonly string[]> {
  let text = '';
  const ids: string[] = [];
  socket.setEncoding('latin1');
  for await (const chunk of socket) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const id = /^(?:[0-9a-f]+\r\n)?id: (\S+)$/m.exec(text.slice(0, end))?.[1];
      if (id !== undefined) ids.push(id);
      text = text.slice(end + 2);
    }
    if (ids.length >= enough) break;
  }
  return ids;
}

test('a client that was disconnected for not reading resumes by its last id without gap or repeat [W1] [W4]', async () => {
  await longSession(serving.journal, serving.workspace, 'long', LENGTH);
  const seqs: number[] = [];
  for (let round = 0; seqs.length < FACTS; round++) {
    expect(round).toBeLessThan(30);
    const socket = ask('/api/sessions/long/events', seqs.at(-1)?.toString() ?? null);
    socket.pause();
    // Longer than the server waits; what it has sent by then is all there is.
    if (round < 3) await sleep(1_200);
    seqs.push(...(await idsOf(socket, FACTS - seqs.length)).map(Number));
  }
  expect(seqs).toEqual(Array.from({ length: FACTS }, (_, seq) => seq));
});

test('clients of one user that never read do not delay those of another [W4]', async () => {
  await longSession(serving.journal, serving.workspace, 'long', LENGTH);
  for (let client = 0; client < 40; client++)
    ask(client % 2 ? '/api/sessions/long/events' : '/api/sessions/long/export', null).pause();
  const reading = ask('/api/sessions/long/events', null, 'bob');
  expect(await idsOf(reading, FACTS)).toHaveLength(FACTS);
});

test('a fact that is sent in many pieces is not mixed with other events of its stream [W1]', async () => {
  await longSession(serving.journal, serving.workspace, 'one', { facts: 4, charsPerFact: 2_000_000 });
  await longSession(serving.journal, serving.workspace, 'two', { facts: 4, charsPerFact: 2_000_000 });
  const socket = ask('/api/events?sessions=one,two', null);
  await once(socket, 'readable');
  const places = await idsOf(socket, 9);
  const last = new URLSearchParams(places.at(-1)?.split('&').slice(1).join('&'));
  expect([last.get('one'), last.get('two')]).toEqual(['3', '3']);
});
