import { afterEach, beforeEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(() => serving.close());

test('a session that is deleted while answers arrive stays deleted, and no answer has an effect afterwards [W4] [A5]', async () => {
  for (let round = 0; round < 10; round++) {
    const sessionId = `s${round}`;
    must(await serving.client().createSession({ body: { sessionId } }));
    const { callId, digest } = await serving.ask(`round ${round}`, sessionId);
    const body = { sessionId, callId, digest, outcome: 'proceed_once' } as const;
    const answers = Array.from({ length: 8 }, (_, index) =>
      serving.client(index % 2 === 0 ? 'ann' : 'bob').answerApproval({ body }),
    );
    const modes = [serving.client().setMode({ sessionId, body: { mode: 'plan' } })];
    const deleted = await serving.client().deleteSession({ sessionId });
    expect([round, deleted.ok ? 'deleted' : deleted.error.code]).toEqual([round, 'deleted']);
    for (const answer of await Promise.all([...answers, ...modes]))
      if (!answer.ok) expect(['already_answered', 'unknown_session']).toContain(answer.error.code);
    expect(await serving.journal.session(sessionId)).toBeNull();
  }
  expect(must(await serving.client().listSessions({})).sessions).toEqual([]);
});

test('a process that resumes a session that was deleted meanwhile does not make it again [W4] [J5]', async () => {
  must(await serving.client().createSession({ body: { sessionId: 's' } }));
  must(await serving.client().deleteSession({ sessionId: 's' }));
  const ports = await serving.ports();
  const { workspace } = serving;
  const opened = await ports.openSession({
    journal: serving.journal,
    sessionId: 's',
    workspace,
    session: 'known',
  });
  expect(opened.ok || opened.failure).toEqual({ code: 'unknown_session', sessionId: 's' });
  expect(await serving.journal.session('s')).toBeNull();
});

test('the audit names the person who deleted a session, after a restart too [W4]', async () => {
  must(await serving.client().createSession({ body: { sessionId: 'secret' } }));
  must(await serving.client().createSession({ body: { sessionId: 'kept' } }));
  must(await serving.client('bob').deleteSession({ sessionId: 'secret' }));
  await serving.end();
  await serving.begin();
  const client = serving.client();
  const { workspace } = serving;
  const event = { type: 'session.deleted', sessionId: 'secret', workspace, by: 'bob', key: null };
  const traces = [
    must(await client.listFacts({ type: 'session.deleted' })),
    must(await client.listFacts({ by: 'bob' })),
    must(await client.listFacts({ sessionId: 'secret' })),
  ];
  for (const { facts } of traces) expect(facts).toMatchObject([{ sessionId: 'secret', event }]);
  const pages = [];
  for (let cursor: string | null = '0 \0deletions'; cursor !== null; ) {
    const page: { facts: readonly { sessionId: string }[]; next: string | null } = must(
      await client.listFacts({ limit: 1, cursor }),
    );
    pages.push(...page.facts.map((fact) => fact.sessionId));
    cursor = page.next;
  }
  expect(pages[0]).toBe('secret');
  expect(new Set(pages.slice(1))).toEqual(new Set(['kept']));
  const shown = await client.showSession({ sessionId: 'secret' });
  expect(shown.ok || shown.error.status).toBe(404);
  const called = await client.setMode({ sessionId: 'secret', body: { mode: 'plan' } });
  expect(called.ok || called.error.code).toBe('unknown_session');
  await until(async () => must(await client.listSessions({})).sessions.length === 1);
});
