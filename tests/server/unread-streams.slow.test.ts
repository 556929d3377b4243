import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteJournal } from '@countersign/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HeldMemory } from './held-memory.js';
import { type Length, longSession } from './long-session.js';
import { Served } from './served.js';
import { must } from './serving.js';

let served: Served;
let sockets: Socket[];
beforeEach(() => {
  served = new Served();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await served.close();
});

const CLIENTS = 64;
/** Without garbage; what one person's connections may hold, several times over. */
const HELD_MAX = 64 * 1024 * 1024;
/** The fact being read is held as stored, as a value, as JSON and as bytes; Node 24 was seen to hold 200 MB for 9 MB facts. */
const FACTS_IN_HAND = 24;
/** Long enough to read everything for everybody, had the server done that; shorter than it takes to cut anybody off. */
const WATCHED_MS = 6_000;
/** Some 100 MB each, in facts as large as a page, a file, or the largest message that there may be. */
const LENGTHS: readonly (readonly [string, Length])[] = [
  ['small facts', { facts: 50_000, charsPerFact: 2_000 }],
  ['facts of 200 kB', { facts: 500, charsPerFact: 200_000 }],
  ['facts of 9 MB', { facts: 12, charsPerFact: 9_000_000 }],
];

type Way = { readonly path: (client: number, facts: number) => string; readonly isOpen: boolean };
const WAYS: readonly (readonly [string, Way])[] = [
  ['events', { path: () => '/api/sessions/long/events', isOpen: false }],
  [
    'events from different places on, of a session that is open,',
    {
      path: (client, facts) =>
        `/api/sessions/long/events?after=${Math.floor((client * facts) / (2 * CLIENTS))}`,
      isOpen: true,
    },
  ],
  ['one stream of many', { path: () => '/api/events?sessions=long', isOpen: false }],
  ['an export', { path: () => '/api/sessions/long/export', isOpen: false }],
];
/** Each way with each length would take minutes; these are the ones that once cost most. */
const CASES = [0, 1, 2, 3].map((index) => {
  const [what, way] = WAYS[index] ?? [];
  const [facts, length] = LENGTHS[(index + 1) % LENGTHS.length] ?? [];
  if (!way || !length) throw new Error('there are fewer');
  return { facts, length, what, way };
});

test.each(CASES)(
  '64 clients that ask for $what and never read, with $facts, hold little together [W4]',
  async ({ length, way }) => {
    await store(length);
    const held = new HeldMemory(served);
    await served.start();
    if (way.isOpen) must(await served.client.resumeSession({ sessionId: 'long', body: {} }));
    must(await served.client.listSessions({}));
    const before = await held.bytes();
    for (let client = 0; client < CLIENTS; client++) askAndNeverRead(way.path(client, length.facts));
    let most = 0;
    for (const end = performance.now() + WATCHED_MS; performance.now() < end; await sleep(50)) {
      expect((await fetch(`${served.url}/health`)).status).toBe(200);
      most = Math.max(most, (await held.bytes()) - before);
    }
    expect(most).toBeGreaterThan(0);
    // With one copy for each client it would be far more: 64 of the largest facts are 576 MB.
    expect(most).toBeLessThan(HELD_MAX + FACTS_IN_HAND * length.charsPerFact);
  },
  60_000,
);

async function store(length: Length): Promise<void> {
  mkdirSync(served.home, { recursive: true, mode: 0o700 });
  const journal = await sqliteJournal(join(served.home, 'countersign.db'));
  await longSession(journal, served.workspace, 'long', length);
  await journal.close();
}

function askAndNeverRead(path: string): void {
  const { port, token } = served;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
  );
  socket.pause();
  socket.on('error', () => {});
  sockets.push(socket);
}
