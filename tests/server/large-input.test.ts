import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from './raw-http.js';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
beforeEach(async () => {
  served = new Served();
  await served.start();
});
afterEach(() => served.close());

const newSession = async (): Promise<string> =>
  must(await served.client.createSession({ body: {} })).sessionId;

const post = (path: string, body: string) =>
  send({
    port: served.port,
    method: 'POST',
    path,
    headers: {
      host: `127.0.0.1:${served.port}`,
      authorization: `Bearer ${served.token}`,
      'content-type': 'application/json',
    },
    body,
  });

/** The longest response time of other requests while something was in progress. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const asked = performance.now();
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - asked);
    await sleep(2);
  }
  await working;
  return longest;
}

const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"key-${index}":1`).join(',')}}`;

test('a body with 700,000 keys is refused by every route, and delays no other request [W3]', async () => {
  const sessionId = await newSession();
  const keys = manyKeys(600_000);
  const bodies: readonly (readonly [string, string])[] = [
    [`/api/sessions/${sessionId}/calls`, `{"calls":[{"name":"list_directory","args":${keys}}]}`],
    [
      '/api/approvals/answer',
      `{"sessionId":"${sessionId}","callId":"c","digest":"d","outcome":"proceed_once","payload":{"answers":${keys}}}`,
    ],
    [`/api/sessions/${sessionId}/messages`, `{"parts":[${keys}]}`],
    [`/api/sessions/${sessionId}/calls`, `{"calls":[${'[],'.repeat(600_000)}1]}`],
  ];
  const usual = await longestWait(() => sleep(300));
  for (const [path, body] of bodies) {
    const longest = await longestWait(async () => {
      const { status, body: answer } = await post(path, body);
      expect([status, answer]).toEqual([400, expect.stringContaining('members and items')]);
      expect(answer.length).toBeLessThan(1_000);
    });
    expect(longest).toBeLessThan(2_000 + 10 * usual);
  }
});

test('the problem of a request is reported without repeating more than a line of it [W3]', async () => {
  const sessionId = await newSession();
  const long = `\u202e${'x'.repeat(60_000)}`;
  const asked = await Promise.all([
    post(`/api/sessions/${sessionId}/calls`, JSON.stringify({ calls: [], [long]: 1 })),
    post(`/api/sessions/${sessionId}/calls`, JSON.stringify({ calls: [{ name: 1, [long]: 1 }] })),
    post(`/api/sessions/${sessionId}/mode`, JSON.stringify({ mode: long })),
    post('/api/grants/revoke', JSON.stringify({ grantId: long })),
    post('/api/sessions', JSON.stringify({ workspace: `/${long}` })),
    post('/api/sign-in', JSON.stringify({ code: long })),
    post(
      '/api/approvals/answer',
      JSON.stringify({ sessionId: long, callId: long, digest: long, outcome: 'cancel' }),
    ),
  ]);
  for (const { status, body } of asked) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.length).toBeLessThan(2_500);
    expect(body).not.toMatch(/x{201}/);
    expect(body).not.toContain('\u202e');
  }
});

const lines = (count: number, of: (line: number) => string): string =>
  Array.from({ length: count }, (_, line) => `${of(line)}\n`).join('');

const WRITES: readonly (readonly [string, string, string])[] = [
  ['a new file', '', lines(600_000, (line) => `line ${line}`)],
  [
    'every other line',
    lines(600_000, (line) => `${line % 10}`),
    lines(600_000, (line) => (line % 2 ? `${line % 10}` : 'x')),
  ],
  [
    'lines in another order',
    lines(400_000, (line) => `${line}`),
    lines(400_000, (line) => `${(line * 7919) % 400_000}`),
  ],
  [
    'the same short lines',
    lines(600_000, (line) => (line % 3 ? 'a' : 'b')),
    lines(600_000, (line) => (line % 5 ? 'a' : 'b')),
  ],
];
test.each(WRITES)(
  'a write of 600,000 lines, %s, is planned while others are answered [S4] [A7]',
  async (_, before, after) => {
    const sessionId = await newSession();
    if (before !== '') writeFileSync(join(served.workspace, 'long.txt'), before);
    const args = { file_path: 'long.txt', content: after };
    const body = { calls: [{ name: 'write_file', args }] };
    // The time that sending and reading as much takes on its own, at this moment.
    const usual = await longestWait(async () => {
      const refused = await served.client.issueCalls({ sessionId: 'nobody', body });
      expect(refused.ok).toBe(false);
      await sleep(300);
    });
    const longest = await longestWait(async () => {
      must(await served.client.issueCalls({ sessionId, body }));
      await until(async () => must(await served.client.listApprovals({ sessionId })).approvals[0]);
    });
    expect(longest).toBeLessThan(1_000 + 10 * usual);
  },
);
