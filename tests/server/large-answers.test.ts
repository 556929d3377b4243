import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { stopwatch } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

const CLIENTS = 48;
const CONTENT_CHARS = 6_000_000;

let served: Served;
let sockets: Socket[];
beforeEach(async () => {
  served = new Served();
  sockets = [];
  await served.start();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await served.close();
});

/** The query that names a call which waits for an answer. */
async function largeQuestion(): Promise<URLSearchParams> {
  const { sessionId } = must(await served.client.createSession({ body: { mode: 'manual' } }));
  const args = { file_path: 'large.txt', content: 'a line of text\n'.repeat(CONTENT_CHARS / 15) };
  const body = { calls: [{ name: 'write_file', args }] };
  const [callId = ''] = must(await served.client.issueCalls({ sessionId, body })).callIds;
  await until(async () => must(await served.client.listApprovals({ sessionId })).total === 1);
  return new URLSearchParams({ sessionId, callId });
}

/** Resolves with the status; nothing after the head is read. */
function statusOf(path: string): Promise<number> {
  const { port, token } = served;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    socket.once('data', (head: Buffer) => {
      socket.pause();
      resolve(Number(head.toString('latin1').split(' ')[1]));
    });
    socket.on('error', () => resolve(0));
    sockets.push(socket);
  });
}

test.each(['/api/approvals/one', '/api/policy/call'])(
  'a large answer of %s that is asked for many times at once keeps no one else waiting, and little memory [W4]',
  async (route) => {
    const path = `${route}?${await largeQuestion()}`;
    const headers = { authorization: `Bearer ${served.token}` };
    const before = residentBytes();
    const took = stopwatch();
    const one = await fetch(`${served.url}${path}`, { headers });
    expect(one.status).toBe(200);
    const oneBytes = (await one.arrayBuffer()).byteLength;
    expect(oneBytes).toBeGreaterThan(CONTENT_CHARS);
    const oneMs = took();

    let isAnswered = false;
    const statuses = Promise.all(Array.from({ length: CLIENTS }, () => statusOf(path)));
    void statuses.then(() => {
      isAnswered = true;
    });
    let [longestMs, most] = [0, 0];
    do {
      const waited = stopwatch();
      expect((await fetch(`${served.url}/health`)).status).toBe(200);
      longestMs = Math.max(longestMs, waited());
      most = Math.max(most, residentBytes() - before);
    } while (!isAnswered);
    // As long as a few of them would take, and as large, of the many that are asked for.
    expect(longestMs).toBeLessThan((CLIENTS / 8) * oneMs);
    expect(most).toBeLessThan((CLIENTS / 4) * oneBytes);
    const given = await statuses;
    expect(new Set(given)).toEqual(new Set([200, 429]));
  },
  60_000,
);

function residentBytes(): number {
  const status = readFileSync(`/proc/${served.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
