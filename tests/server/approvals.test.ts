import { openSession, type SessionShell, type Tool, Toolbox } from '@countersign/engine';
import type { AnswerOf } from '@countersign/server/client';
import { plainPolicy } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(() => serving.close());

test('of two answers at once the first counts, and the other client receives its author [A5]', async () => {
  for (let round = 0; round < 10; round++) {
    const asked = await serving.ask(`race ${round}`);
    const answers = await Promise.all([
      serving.client('ann').answerApproval({ body: { ...asked, outcome: 'proceed_once' } }),
      serving.client('bob').answerApproval({ body: { ...asked, outcome: 'cancel' } }),
    ]);
    const [winner] = answers.flatMap(({ ok }, index) => (ok ? [['ann', 'bob'][index]] : []));
    const refusals = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
    expect(refusals).toHaveLength(1);
    expect([refusals[0]?.status, refusals[0]?.code, refusals[0]?.details['by']]).toEqual([
      409,
      'already_answered',
      winner,
    ]);
    await until(
      async () => must(await serving.client().showSession({ sessionId: asked.sessionId })).state === 'idle',
    );
    expect(serving.counted.includes(`race ${round}`)).toBe(winner === 'ann');
  }
});

test('an answer that is sent again under its key is not a second one, and each is recorded under its name [A5] [W3]', async () => {
  const asked = await serving.ask('again');
  const body = { ...asked, outcome: 'proceed_once', key: 'k1' } as const;
  expect(must(await serving.client('bob').answerApproval({ body })).repeated).toBe(false);
  expect(must(await serving.client('bob').answerApproval({ body })).repeated).toBe(true);
  await until(async () => serving.counted.length > 0);
  const other = await serving.client('bob').answerApproval({ body: { ...body, key: 'k2' } });
  expect(other.ok || other.error.code).toBe('already_answered');
  const { facts } = must(
    await serving.client().listFacts({ sessionId: asked.sessionId, type: 'call.answered', by: 'bob' }),
  );
  expect(facts.map(({ event }) => event.type === 'call.answered' && event.answer.by)).toEqual(['bob']);
  expect(serving.counted).toEqual(['again']);
});

test('a different answer under the same key is refused, and keys of other questions do not matter [A5]', async () => {
  const asked = await serving.ask('keyed');
  const other = await serving.ask('other');
  const body = { ...asked, outcome: 'cancel', key: 'same' } as const;
  must(await serving.client('ann').answerApproval({ body }));
  const changed = await serving.client('ann').answerApproval({ body: { ...body, outcome: 'proceed_once' } });
  const byOther = await serving.client('bob').answerApproval({ body: { ...body, outcome: 'proceed_once' } });
  for (const answer of [changed, byOther])
    expect(answer.ok ? answer.value.repeated : answer.error.status).toBe(409);
  // For another question the same key is another answer.
  must(
    await serving.client('ann').answerApproval({ body: { ...other, outcome: 'proceed_once', key: 'same' } }),
  );
  await until(async () => serving.counted.length > 0);
  expect(serving.counted).toEqual(['other']);
});

test('of twenty answers at once one counts, and the call runs once [A5]', async () => {
  const asked = await serving.ask('raced');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      serving
        .client(index % 2 === 0 ? 'ann' : 'bob')
        .answerApproval({ body: { ...asked, outcome: 'proceed_once', key: `k${index}` } }),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.flatMap((answer) => (answer.ok ? [] : [answer.error.code]))).toEqual(
    Array(19).fill('already_answered'),
  );
  await until(async () => serving.counted.length > 0);
  expect(serving.counted).toEqual(['raced']);
});

test('an answer with other arguments is consent to exactly these [A4]', async () => {
  const asked = await serving.ask('as asked');
  const payload = { args: { word: 'as changed' } };
  must(await serving.client().answerApproval({ body: { ...asked, outcome: 'proceed_once', payload } }));
  await until(async () => serving.counted.length > 0);
  expect(serving.counted).toEqual(['as changed']);
});

test('approvals of another process are in the inbox, and are answered through it [A5] [C4]', async () => {
  const store = await serving.openStore();
  const runs: string[] = [];
  const there = await openThere('terminal', store, runs);
  try {
    await there.send({ type: 'call', calls: [{ callId: 'c1', name: 'write' }] });
    const digest = await serving.digestOf('terminal', 'c1');
    const { owner, state } = must(await serving.client().showSession({ sessionId: 'terminal' }));
    expect([owner, state]).toEqual(['elsewhere', 'waiting']);
    const body = { sessionId: 'terminal', callId: 'c1', digest, outcome: 'proceed_once' } as const;
    must(await serving.client('bob').answerApproval({ body }));
    await until(async () => runs.length > 0);
    await until(async () => must(await serving.client().listApprovals({})).total === 0);
    // Its owner has it: it can be neither deleted nor begun again from here.
    const refused = await serving.client().deleteSession({ sessionId: 'terminal' });
    expect(refused.ok || refused.error.code).toBe('session_owned');
  } finally {
    await there.dispose();
    await store.close();
  }
  expect(runs).toEqual(['write']);
});

test('an open question of a session whose process has ended is resumed here, under the same id [A6]', async () => {
  const store = await serving.openStore();
  const there = await openThere('left', store, []);
  await there.send({ type: 'call', calls: [{ callId: 'c1', name: 'count', args: { word: 'taken up' } }] });
  const digest = await serving.digestOf('left', 'c1');
  await there.dispose();
  await store.close();
  // The tool is not the one that was shown there: the question is put again, and the answer counts for that one only.
  const old = await serving
    .client()
    .answerApproval({ body: { sessionId: 'left', callId: 'c1', digest, outcome: 'proceed_once' } });
  expect(old.ok || old.error.code).toBe('question_changed');
  const newDigest = await until(async () => {
    const found = await serving.digestOf('left', 'c1');
    return found !== digest && found;
  });
  must(
    await serving.client().answerApproval({
      body: { sessionId: 'left', callId: 'c1', digest: newDigest, outcome: 'proceed_once' },
    }),
  );
  await until(async () => serving.counted.includes('taken up'));
});

test('a restarted server has the same approvals, and a call that is answered then runs once [A6] [W4]', async () => {
  const asked = await serving.ask('after restart');
  await serving.end();
  await serving.begin();
  const { approvals } = must(await serving.client().listApprovals({}));
  expect(approvals.map(({ callId, digest }) => ({ callId, digest }))).toEqual([
    { callId: asked.callId, digest: asked.digest },
  ]);
  must(await serving.client().answerApproval({ body: { ...asked, outcome: 'proceed_once' } }));
  await until(async () => serving.counted.length > 0);
  expect(serving.counted).toEqual(['after restart']);
});

test('a revoked grant has no effect in any session that is open here [P6] [W4]', async () => {
  const client = serving.client();
  const edit = (file_path: string) => ({
    calls: [{ name: 'run_shell_command', args: { command: `touch ${file_path}` } }],
  });
  const open = async () => must(await client.createSession({ body: {} })).sessionId;
  const [one, two] = [await open(), await open()];
  const [callId = ''] = must(await client.issueCalls({ sessionId: one, body: edit('a') })).callIds;
  const digest = await serving.digestOf(one, callId);
  must(
    await client.answerApproval({
      body: { sessionId: one, callId, digest, outcome: 'proceed_always_and_save' },
    }),
  );
  const [grant] = await until(async () => {
    const { grants } = must(await client.listGrants({}));
    return grants.length > 0 && grants;
  });
  expect(grant?.scope).toBe('project');
  // Given in one session, it counts in the other, which was open all along …
  must(await client.issueCalls({ sessionId: two, body: edit('a') }));
  await until(async () => must(await client.statistics({ sessionId: two })).byStatus.success === 1);
  // … and so does taking it back.
  must(await client.revokeGrant({ body: { grantId: grant?.id ?? '' } }));
  must(await client.issueCalls({ sessionId: two, body: edit('a') }));
  await until(async () => must(await client.listApprovals({ sessionId: two })).total === 1);
});

test('a grant of a served folder is listed and revoked after its last session was deleted [P6] [W4]', async () => {
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const calls = [{ name: 'run_shell_command', args: { command: 'touch a' } }];
  const [callId = ''] = must(await client.issueCalls({ sessionId, body: { calls } })).callIds;
  const digest = await serving.digestOf(sessionId, callId);
  must(
    await client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_always_and_save' } }),
  );
  await until(async () => must(await client.statistics({ sessionId })).byStatus.success === 1);
  must(await client.deleteSession({ sessionId }));

  const [grant] = must(await client.listGrants({})).grants;
  expect(grant?.scope).toBe('project');
  must(await client.revokeGrant({ body: { grantId: grant?.id ?? '' } }));
  expect(must(await client.listGrants({})).grants).toEqual([]);
});

test('the inbox is listed in pages, oldest first, and each question once [W1]', async () => {
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const calls = Array.from({ length: 25 }, (_, index) => ({
    callId: `c${index}`,
    name: 'count',
    args: { word: `${index}` },
  }));
  must(await client.issueCalls({ sessionId, body: { calls } }));
  await until(async () => must(await client.listApprovals({})).total === 25);
  const seen: string[] = [];
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: AnswerOf<'listApprovals'> = must(await client.listApprovals({ limit: 10, cursor }));
    seen.push(...page.approvals.map(({ callId }) => callId));
    cursor = page.next;
  }
  expect(seen).toEqual(calls.map(({ callId }) => callId));
});

async function openThere(
  sessionId: string,
  journal: Awaited<ReturnType<Serving['openStore']>>,
  runs: string[],
): Promise<SessionShell> {
  const tool = (name: string): Tool => ({
    name,
    displayName: name,
    description: name,
    kind: 'other',
    inputSchema: { type: 'object' },
    canUpdateOutput: false,
    check: (args) => ({ ok: true, args }),
    plan: () => ({
      title: name,
      resources: [{ kind: 'opaque', why: 'it does' }],
      repeat: 'unsafe',
      byDefault: 'ask_user',
    }),
    run: async () => {
      runs.push(name);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const opened = await openSession({
    journal,
    sessionId,
    workspace: serving.workspace,
    tools: new Toolbox([tool('write'), tool('count')]),
    policy: plainPolicy(),
    classify: () => ({ place: 'workspace', guarded: null }),
  });
  if (!opened.ok) throw new Error(opened.failure.code);
  return opened.session;
}

test('an answer that carries other changes than the first is refused, and says that they were not applied [A5]', async () => {
  const asked = await serving.ask('as asked');
  const other = await serving.ask('holds its turn open');
  const body = { ...asked, outcome: 'proceed_once' } as const;
  must(await serving.client().answerApproval({ body }));
  const changed = { ...body, payload: { args: { word: 'changed' } } };
  const expectRefused = async (person: 'ann' | 'bob') => {
    const refused = await serving.client(person).answerApproval({ body: changed });
    expect(refused.ok || [refused.error.status, refused.error.code]).toEqual([409, 'already_answered']);
    expect(refused.ok || refused.error.message).toContain('Not applied: the changed arguments.');
  };
  await expectRefused('ann');
  await expectRefused('bob');
  await until(async () => serving.counted.length > 0);
  // Also when its turn is over, and from the store.
  await until(
    async () => must(await serving.client().showSession({ sessionId: asked.sessionId })).state === 'idle',
  );
  await expectRefused('ann');
  await serving.end();
  await serving.begin();
  await expectRefused('ann');
  expect(must(await serving.client().answerApproval({ body })).repeated).toBe(true);
  expect(serving.counted).toEqual(['as asked']);

  // The same change again is the same answer.
  const first = { ...other, outcome: 'proceed_once', payload: { args: { word: 'both times' } } } as const;
  must(await serving.client().answerApproval({ body: first }));
  expect(must(await serving.client().answerApproval({ body: first })).repeated).toBe(true);
  const without = await serving.client().answerApproval({ body: { ...other, outcome: 'proceed_once' } });
  expect(without.ok || without.error.code).toBe('already_answered');
  expect(without.ok || without.error.message).toContain('with "proceed_once" and changed arguments');
  expect(without.ok || without.error.hint).toMatch(/changed arguments are those that ran/);
});

test('another outcome than the first is refused, and says that it was not applied [A5]', async () => {
  const asked = await serving.ask('as asked');
  must(await serving.client().answerApproval({ body: { ...asked, outcome: 'proceed_once' } }));
  for (const _where of ['in memory', 'in the store']) {
    for (const outcome of ['cancel', 'proceed_always'] as const) {
      const refused = await serving.client().answerApproval({ body: { ...asked, outcome } });
      expect(refused.ok || refused.error.code).toBe('already_answered');
      expect(refused.ok || refused.error.message).toContain(`Not applied: the outcome "${outcome}".`);
      expect(refused.ok || refused.error.hint).toContain('this one has no effect');
      expect(refused.ok || refused.error.hint).not.toContain('Nothing more is needed');
    }
    const other = await serving.client('bob').answerApproval({ body: { ...asked, outcome: 'proceed_once' } });
    expect(other.ok || other.error.hint).toContain('Nothing more is needed');
    await serving.end();
    await serving.begin();
  }
});
