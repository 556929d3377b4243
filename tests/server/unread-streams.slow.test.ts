import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_SERVER_LIMITS } from '@countersign/server';
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
const MB = 1024 * 1024;
/** A page of facts and the frames that are made of it: counted, and more than one person may hold only if it is alone. */
const PAGE_COPIES = 2;
/** One fact at a time is read, for one client or for all of them: as stored, as a value, as JSON. */
const READ_COPIES = 3;
/** Pages that the server keeps because the next client may ask for the same. */
const RECENT_BYTES = 4 * MB;
/** One write of 64 Ki characters; for each of them Node sets three bytes aside. */
const BYTES_PER_CONNECTION = 3 * 64 * 1024;
/** Code that is loaded and compiled on the way, requests, timers. */
const REST_BYTES = 8 * MB;

/** Without garbage. Nothing in it is a copy for each client, but for what is written to its connection. */
const heldMax = (charsPerFact: number): number =>
  Math.max(DEFAULT_SERVER_LIMITS.bufferedBytesPerPerson, PAGE_COPIES * charsPerFact) +
  READ_COPIES * charsPerFact +
  RECENT_BYTES +
  CLIENTS * BYTES_PER_CONNECTION +
  REST_BYTES;

/** Long enough to read everything for all clients, if the server did that; shorter than it takes to disconnect one. */
const WATCHED_MS = 6_000;
/** Long even on a busy machine. */
const TAKEN_WITHIN_MS = 40_000;

type Case = {
  readonly what: string;
  readonly facts: string;
  readonly length: Length;
  readonly path: (client: number, facts: number) => string;
  /** Bytes that each client takes before it takes nothing more. */
  readonly taken?: number;
  readonly isOpen?: boolean;
};

/** Some 100 MB each. Each way with each length would take minutes; these are the ones that once cost most. */
const CASES: readonly Case[] = [
  {
    what: 'events',
    facts: 'facts of 200 kB',
    length: { facts: 500, charsPerFact: 200_000 },
    path: () => '/api/sessions/long/events',
  },
  {
    what: 'events from different places on, of a session that is open,',
    facts: 'facts of 9 MB, the largest that there may be',
    length: { facts: 12, charsPerFact: 9_000_000 },
    path: (client, facts) =>
      `/api/sessions/long/events?after=${Math.floor((client * facts) / (2 * CLIENTS))}`,
    isOpen: true,
  },
  {
    what: 'events, take one of them',
    facts: 'facts of 2 MB',
    length: { facts: 50, charsPerFact: 2_000_000 },
    path: () => '/api/sessions/long/events',
    taken: 2_000_000,
  },
  {
    what: 'an export, take one of its facts',
    facts: 'facts of 2 MB',
    length: { facts: 50, charsPerFact: 2_000_000 },
    path: () => '/api/sessions/long/export',
    taken: 2_000_000,
  },
  {
    what: 'one stream of many',
    facts: 'small facts',
    length: { facts: 50_000, charsPerFact: 2_000 },
    path: () => '/api/events?sessions=long',
  },
  {
    what: 'an export',
    facts: 'facts of 200 kB',
    length: { facts: 500, charsPerFact: 200_000 },
    path: () => '/api/sessions/long/export',
  },
];

test.each(CASES)(
  '64 clients that ask for $what and then read nothing, with $facts, hold no copy each [W4]',
  async ({ length, path, taken = 0, isOpen = false }) => {
    await store(length);
    const held = new HeldMemory(served);
    await served.start();
    if (isOpen) must(await served.client.resumeSession({ sessionId: 'long', body: {} }));
    must(await served.client.listSessions({}));
    const before = await held.bytes();
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      askAndTake(path(client, length.facts), taken),
    );
    const haveTaken = () => clients.every((isServed) => isServed());
    let most = 0;
    const began = performance.now();
    const passedMs = () => performance.now() - began;
    for (; passedMs() < WATCHED_MS || !haveTaken(); await sleep(50)) {
      if (passedMs() > TAKEN_WITHIN_MS) throw new Error('not every client got what it reads');
      expect((await fetch(`${served.url}/health`)).status).toBe(200);
      most = Math.max(most, (await held.bytes()) - before);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(heldMax(length.charsPerFact));
  },
  60_000,
);

async function store(length: Length): Promise<void> {
  mkdirSync(served.home, { recursive: true, mode: 0o700 });
  const journal = await sqliteJournal(join(served.home, 'countersign.db'));
  await longSession(journal, served.workspace, 'long', length);
  await journal.close();
}

/** Asks, and reads until it has so many bytes. Gives whether it has them, or was refused since too much is unread. */
function askAndTake(path: string, taken: number): () => boolean {
  const { port, token } = served;
  let [count, isRefused] = [0, false];
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
  );
  socket.on('data', (data: Buffer) => {
    if (count === 0) isRefused = data.toString('latin1').startsWith('HTTP/1.1 429');
    count += data.length;
    if (count >= taken) socket.pause();
  });
  if (taken === 0) socket.pause();
  socket.on('error', () => {});
  sockets.push(socket);
  return () => isRefused || count >= taken;
}
