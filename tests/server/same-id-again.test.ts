import type { SessionMessage } from '@countersign/server/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

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

const sessionId = 'again';
const begin = async () => must(await serving.client().createSession({ body: { sessionId } }));
/** Has the server look at its store; what comes right after, it looks for a little later. */
async function lookAway(): Promise<void> {
  const other = must(await serving.client().createSession({ body: {} }));
  must(await serving.client().deleteSession({ sessionId: other.sessionId }));
}
async function remove(): Promise<void> {
  await lookAway();
  must(await serving.client().deleteSession({ sessionId }));
}
const calling = (times: number) => ({
  calls: Array.from({ length: times }, () => ({ name: 'list_directory', args: { dir_path: '.' } })),
});

test('questions of a deleted session are not open in a new one of the same id [A5] [W4]', async () => {
  await begin();
  const { callId } = await serving.ask('of the first', sessionId);
  await remove();
  await begin();
  expect(must(await serving.client().listApprovals({})).total).toBe(0);
  await serving.ask('of the second', sessionId);
  const { approvals } = must(await serving.client().listApprovals({}));
  expect(approvals.map(({ title }) => title)).toEqual(['Count of the second']);
  expect(approvals[0]?.callId).not.toBe(callId);
});

test('a session made under the id of one that another process deleted has questions of its own only [A5]', async () => {
  await begin();
  await serving.ask('of the first', sessionId);
  const elsewhere = await serving.openStore();
  await serving.end();
  await serving.begin();
  expect(must(await serving.client().listApprovals({})).total).toBe(1);
  await lookAway();
  const deleted = await elsewhere.delete(sessionId);
  expect(deleted.ok).toBe(true);
  await begin();
  expect(must(await serving.client().listApprovals({})).total).toBe(0);
  await elsewhere.close();
});

test('a follower of a session does not receive events of a later one of the same id [W1]', async () => {
  await begin();
  const client = serving.client();
  must(await client.issueCalls({ sessionId, body: calling(3) }));
  await until(async () => must(await client.showSession({ sessionId })).state === 'idle');
  const { seq } = must(await client.showSession({ sessionId }));
  const events = must(await client.events({ sessions: [{ sessionId }] }, { signal: stop.signal }));
  const messages: SessionMessage[] = [];
  const listening = (async () => {
    for await (const { event, data } of events)
      if (event === 'session') messages.push(data as SessionMessage);
  })();
  await until(async () => messages.length === seq);
  await remove();
  await begin();
  must(await client.issueCalls({ sessionId, body: calling(20) }));
  const last = await until(async () => messages.find(({ event }) => event !== 'fact'));
  stop.abort();
  await listening;
  expect(last).toMatchObject({ sessionId, event: 'refused', data: { code: 'unknown_session' } });
  expect(messages.filter(({ event }) => event === 'fact')).toHaveLength(seq);
});

test('a session does not have the title of a deleted one of the same id [W4]', async () => {
  const append = async (words: string) => {
    const owned = await serving.journal.own(sessionId);
    if (!owned.ok) throw new Error(owned.failure.code);
    const { token } = owned;
    await serving.journal.append({
      sessionId,
      expectedSeq: 0,
      token,
      events: [
        { type: 'session.opened', epoch: 1, at: 1, workspace: serving.workspace, mode: 'manual' },
        {
          type: 'message.added',
          message: { id: 1, at: 1, role: 'user', parts: [{ text: words }], by: 'ann', promptId: 'p' },
        },
      ],
      views: [],
      claims: [],
      consumed: [],
      sync: 'normal',
    });
    await serving.journal.release(sessionId, token);
  };
  const title = async () => must(await serving.client().showSession({ sessionId })).title;
  await append('A secret of the first');
  expect(await title()).toBe('A secret of the first');
  await remove();
  await append('The second');
  expect(await title()).toBe('The second');
});
