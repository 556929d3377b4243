import { scriptedProvider } from '@countersign/models';
import type { Client, Result } from '@countersign/server/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start({ provider: scriptedProvider([[{ text: 'One.' }], [{ text: 'Two.' }]]) });
});
afterEach(() => serving.close());

const sessionId = 's';
const begin = async () => must(await serving.client().createSession({ body: { sessionId } }));
const statusOf = (result: Result<unknown>) => (result.ok ? 200 : result.error.status);
const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code);

/** Requests a call that counts, and allows it; resolves when it is over. */
async function countOnce(client: Client, body: Parameters<Client['issueCalls']>[0]['body']) {
  const first = must(await client.issueCalls({ sessionId, body }));
  for (const callId of first.callIds) {
    const digest = await serving.digestOf(sessionId, callId);
    must(
      await client.answerApproval({
        body: { sessionId, callId, digest, outcome: 'proceed_once' },
      }),
    );
  }
  await until(async () => must(await client.showSession({ sessionId })).state === 'idle');
  return first;
}

const named = (callId: string, word: string) => ({ callId, name: 'count', args: { word } });

test('calls with ids that are sent again after they ended get the first reply and do not run again [W3]', async () => {
  await begin();
  const body = { calls: [named('c1', 'once')] };
  const first = await countOnce(serving.client(), body);
  expect(must(await serving.client().issueCalls({ sessionId, body }))).toEqual(first);
  expect(must(await serving.client('bob').issueCalls({ sessionId, body }))).toEqual(first);
  expect(must(await serving.client().listApprovals({ sessionId })).total).toBe(0);
  expect(serving.counted).toEqual(['once']);
});

test('an id that was used for another call is refused, also in a batch that repeats a part [W3]', async () => {
  await begin();
  await countOnce(serving.client(), { calls: [named('c1', 'one'), named('c2', 'two')] });
  const again = async (calls: readonly object[]) =>
    serving.client().issueCalls({ sessionId, body: { calls: calls as [] } });
  for (const calls of [
    [named('c1', 'other')],
    [{ ...named('c1', 'one'), name: 'list_directory' }],
    [named('c1', 'one'), named('c3', 'three')],
    [named('c3', 'three'), named('c2', 'two')],
    [named('c1', 'one'), { name: 'count', args: { word: 'two' } }],
  ])
    expect([calls, codeOf(await again(calls)), statusOf(await again(calls))]).toEqual([
      calls,
      'call_id_reused',
      409,
    ]);
  expect(must(await again([named('c2', 'two')])).callIds).toEqual(['c2']);
  expect(must(await again([named('c2', 'two'), named('c1', 'one')])).callIds).toEqual(['c2', 'c1']);
  expect(must(await serving.client().listApprovals({ sessionId })).total).toBe(0);
  expect(serving.counted.toSorted()).toEqual(['one', 'two']);
});

test('of many identical requests at once one is carried out, and all get its reply [W3]', async () => {
  await begin();
  const body = { calls: [named('c1', 'raced')] };
  const send = () => serving.client().issueCalls({ sessionId, body });
  const replies = (await Promise.all(Array.from({ length: 20 }, send))).map(must);
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  expect(must(await serving.client().listApprovals({ sessionId })).total).toBeLessThanOrEqual(1);
  const keyed = { calls: [{ name: 'count', args: { word: 'keyed' } }], key: 'k' };
  const keyedReplies = await Promise.all(
    Array.from({ length: 20 }, () => serving.client().issueCalls({ sessionId, body: keyed })),
  );
  expect(new Set(keyedReplies.map((reply) => JSON.stringify(must(reply)))).size).toBe(1);
});

test('a key gives the first reply, after a restart too; another body or operation is refused, another person has keys of their own [W3]', async () => {
  await begin();
  const client = () => serving.client();
  const body = { calls: [{ name: 'list_directory', args: { dir_path: '.' } }], key: 'k' };
  const first = must(await client().issueCalls({ sessionId, body }));
  await until(async () => must(await client().showSession({ sessionId })).state === 'idle');
  await serving.end();
  await serving.begin();
  expect(must(await client().issueCalls({ sessionId, body }))).toEqual(first);
  // The order of members does not matter.
  const [call] = body.calls;
  const reordered = { key: 'k', calls: [{ args: call?.args ?? {}, name: call?.name ?? '' }] };
  expect(must(await client().issueCalls({ sessionId, body: reordered }))).toEqual(first);
  const other = await client().issueCalls({ sessionId, body: { ...body, start: 'together' } });
  expect([statusOf(other), codeOf(other)]).toEqual([409, 'key_reused']);
  expect(statusOf(await client().setMode({ sessionId, body: { mode: 'plan', key: 'k' } }))).toBe(409);
  const byBob = must(await serving.client('bob').issueCalls({ sessionId, body }));
  expect(byBob.callIds).not.toEqual(first.callIds);
});

test('a key for an id that was used before makes it a new command [W3] [L2]', async () => {
  await begin();
  const calls = [named('c1', 'again')];
  await countOnce(serving.client(), { calls });
  await countOnce(serving.client(), { calls, key: 'second' });
  expect(serving.counted).toEqual(['again', 'again']);
});

test('a mode and a cancellation under a key have one effect [W3]', async () => {
  await begin();
  const client = serving.client();
  const plan = { mode: 'plan', key: 'to-plan' } as const;
  must(await client.setMode({ sessionId, body: plan }));
  must(await client.setMode({ sessionId, body: { mode: 'manual' } }));
  expect(must(await client.setMode({ sessionId, body: plan })).repeated).toBe(true);
  expect(must(await client.showSession({ sessionId })).mode).toBe('manual');
  const stop = { target: { type: 'all' }, key: 'stop' } as const;
  must(await client.cancel({ sessionId, body: stop }));
  const { callId } = await serving.ask('asked later', sessionId);
  expect(must(await client.cancel({ sessionId, body: stop })).repeated).toBe(true);
  expect(must(await client.listApprovals({ sessionId })).approvals[0]?.callId).toBe(callId);
});

test('a message under a key is stored and answered once [W3]', async () => {
  await begin();
  const client = serving.client();
  const body = { text: 'Hello', key: 'hello' };
  const replies = await Promise.all([
    client.sendMessage({ sessionId, body }),
    client.sendMessage({ sessionId, body }),
  ]);
  const answered = async () => {
    const { facts } = must(await client.listFacts({ sessionId, type: 'message.added' }));
    return facts.map(({ event }) => (event.type === 'message.added' ? event.message.role : ''));
  };
  await until(async () => (await answered()).length >= 2);
  expect(must(await client.sendMessage({ sessionId, body }))).toEqual(must(replies[0]));
  expect(must(replies[1])).toEqual(must(replies[0]));
  expect(statusOf(await client.sendMessage({ sessionId, body: { ...body, text: 'Other' } }))).toBe(409);
  expect(await answered()).toEqual(['user', 'model']);
});

test('a session that is started, forked or deleted under a key is so once [W3]', async () => {
  const client = serving.client();
  const made = await Promise.all([
    client.createSession({ body: { key: 'new' } }),
    client.createSession({ body: { key: 'new' } }),
  ]);
  expect(must(made[1]).sessionId).toBe(must(made[0]).sessionId);
  const other = await client.createSession({ body: { key: 'new', mode: 'plan' } });
  expect([statusOf(other), codeOf(other)]).toEqual([409, 'key_reused']);
  const begun = must(await client.createSession({ body: { sessionId, key: 'named' } }));
  expect(must(await client.createSession({ body: { sessionId, key: 'named' } }))).toEqual(begun);
  expect(codeOf(await client.createSession({ body: { sessionId } }))).toBe('session_exists');
  expect(codeOf(await serving.client('bob').createSession({ body: { sessionId, key: 'named' } }))).toBe(
    'session_exists',
  );

  must(
    await client.issueCalls({
      sessionId,
      body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] },
    }),
  );
  await until(async () => must(await client.showSession({ sessionId })).state === 'idle');
  const fork = must(await client.forkSession({ sessionId, body: { key: 'fork' } }));
  expect(must(await client.forkSession({ sessionId, body: { key: 'fork' } })).sessionId).toBe(fork.sessionId);
  expect(statusOf(await client.forkSession({ sessionId, body: { key: 'fork', callId: 'x' } }))).toBe(409);
  expect(must(await client.listSessions({})).sessions).toHaveLength(3);

  must(await client.deleteSession({ sessionId, key: 'gone' }));
  expect(must(await client.deleteSession({ sessionId, key: 'gone' }))).toEqual({ sessionId });
  expect(statusOf(await client.deleteSession({ sessionId, key: 'other' }))).toBe(404);
  expect(statusOf(await serving.client('bob').deleteSession({ sessionId, key: 'gone' }))).toBe(404);
});

test('a grant is revoked once under a key, and the repeated request succeeds [W3]', async () => {
  await begin();
  const client = serving.client();
  const calls = [{ name: 'write_file', args: { file_path: 'a.txt', content: 'x' } }];
  const [callId = ''] = must(await client.issueCalls({ sessionId, body: { calls } })).callIds;
  const digest = await serving.digestOf(sessionId, callId);
  must(await client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_always' } }));
  const [grant] = must(await client.listGrants({})).grants;
  const body = { grantId: grant?.id ?? '', key: 'revoke' };
  expect(must(await client.revokeGrant({ body }))).toEqual(must(await client.revokeGrant({ body })));
});

test('a key reaches the process that has the session open [W3] [J5]', async () => {
  const ports = await serving.ports();
  const other = await serving.openStore();
  const opened = await ports.openSession({
    journal: other,
    sessionId,
    workspace: serving.workspace,
    session: 'new',
  });
  if (!opened.ok) throw new Error(opened.failure.code);
  const body = { calls: [{ name: 'list_directory', args: { dir_path: '.' } }], key: 'k' };
  const first = must(await serving.client().issueCalls({ sessionId, body }));
  expect(must(await serving.client().issueCalls({ sessionId, body }))).toEqual(first);
  expect(statusOf(await serving.client().setMode({ sessionId, body: { mode: 'plan', key: 'k' } }))).toBe(409);
  await opened.opened.leave('exit');
  await other.close();
});

test('a session or a copy that was deleted is not made again by the request that made it, after a restart too [W3] [W4]', async () => {
  await begin();
  await countOnce(serving.client(), { calls: [named('c1', 'once')] });
  const requests: readonly (() => Promise<Result<{ readonly sessionId: string }>>)[] = [
    () => serving.client().createSession({ body: { workspace: serving.workspace, key: 'k' } }),
    () => serving.client().createSession({ body: { sessionId: 'chosen', key: 'chosen' } }),
    () => serving.client().forkSession({ sessionId, body: { key: 'k' } }),
  ];
  const made: string[] = [];
  for (const send of requests) made.push(must(await send()).sessionId);
  for (const id of made) must(await serving.client('bob').deleteSession({ sessionId: id }));
  for (const _run of ['before', 'after']) {
    for (const send of requests) {
      const again = await send();
      expect([codeOf(again), statusOf(again)]).toEqual(['session_deleted', 410]);
      expect(again.ok || again.error.message).toMatch(/ was deleted by bob at 20\d\d-/);
    }
    for (const id of made) expect(await serving.journal.session(id)).toBeNull();
    await serving.end();
    await serving.begin();
  }
  must(await serving.client().createSession({ body: { key: 'another' } }));
  must(await serving.client().createSession({ body: { sessionId: 'chosen' } }));
});
