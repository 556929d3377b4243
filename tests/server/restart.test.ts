import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerEvent, SessionMessage } from '@countersign/server/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
let stop: AbortController;
beforeEach(() => {
  served = new Served();
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await served.close();
});

const SESSIONS = 4;

test('killed with approvals of several sessions, a running command and open streams: a restart restores all of them [A6] [W4]', async () => {
  await served.start('--port', '0');
  const sessions = await Promise.all(
    Array.from(
      { length: SESSIONS },
      async () => must(await served.client.createSession({ body: {} })).sessionId,
    ),
  );
  const write = (name: string) => ({ name: 'write_file', args: { file_path: name, content: name } });
  for (const sessionId of sessions) {
    const body = { calls: [write(`${sessionId}-1.txt`), write(`${sessionId}-2.txt`)] };
    must(await served.client.issueCalls({ sessionId, body }));
  }
  const { sessionId: running } = must(await served.client.createSession({ body: { mode: 'yolo' } }));
  // Ends once it is allowed to, or after a while.
  const command =
    'echo begun >> began.txt; for i in $(seq 200); do [ -e go.txt ] && break; sleep 0.1; done; echo done >> done.txt';
  const body = { calls: [{ name: 'run_shell_command', args: { command } }] };
  must(await served.client.issueCalls({ sessionId: running, body }));
  await until(async () => existsSync(join(served.workspace, 'began.txt')));
  const waiting = () =>
    until(async () => {
      const listed = must(await served.client.listApprovals({ limit: 200 }));
      return listed.total === 2 * SESSIONS && listed.approvals;
    });
  const before = await waiting();

  const received: SessionMessage[] = [];
  const followed = sessions.map((sessionId) => ({ sessionId }));
  const lastSeq = () =>
    new Map(received.map(({ sessionId, data }) => [sessionId, (data as { readonly seq: number }).seq]));
  const listen = async (of: readonly { readonly sessionId: string; readonly after?: number }[]) => {
    const stream = must(await served.client.events({ sessions: of }, { signal: stop.signal }));
    for await (const event of stream) received.push(...factIn(event));
  };
  const listening = listen(followed);
  const isHeard = (sessionId: string, type: string) => () =>
    received.some(
      (message) =>
        message.sessionId === sessionId && JSON.stringify(message.data).includes(`"type":"${type}"`),
    );
  for (const sessionId of sessions) await until(async () => isHeard(sessionId, 'call.asked')());
  await served.end('SIGKILL');
  // The stream ends without an action of the client, as a page would notice it.
  await listening;

  await served.start('--port', '0');
  expect(await waiting()).toEqual(before);
  const seqs = lastSeq();
  const rest = listen(
    sessions.map((sessionId) => {
      const after = seqs.get(sessionId);
      return after === undefined ? { sessionId } : { sessionId, after };
    }),
  );
  for (const { sessionId, callId, digest } of before)
    must(
      await served.client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }),
    );
  for (const sessionId of sessions) await until(async () => isHeard(sessionId, 'turn.ended')());
  stop.abort();
  await rest;
  for (const sessionId of sessions) {
    const receivedOf = received.filter((message) => message.sessionId === sessionId);
    const numbers = receivedOf.map(({ data }) => (data as { readonly seq: number }).seq);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(readFileSync(join(served.workspace, `${sessionId}-1.txt`), 'utf8')).toBe(`${sessionId}-1.txt`);
  }
  // What ran continues running, is not begun again, and its end reaches the process that resumes the session.
  const shown = must(await served.client.resumeSession({ sessionId: running, body: {} }));
  expect([shown.owner, shown.state]).toEqual(['here', 'working']);
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => {
    const { facts } = must(await served.client.listFacts({ sessionId: running, limit: 500 }));
    return JSON.stringify(facts).includes('"type":"call.succeeded"');
  });
  const written = ['began.txt', 'done.txt'].map((name) => readFileSync(join(served.workspace, name), 'utf8'));
  expect(written).toEqual(['begun\n', 'done\n']);
});

function factIn({ event, data }: ServerEvent): readonly SessionMessage[] {
  const message = event === 'session' ? (data as SessionMessage) : null;
  return message?.event === 'fact' ? [message] : [];
}
