import { type Need, ToolFailure } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

const NETWORK: Need = { needs: 'network', host: 'example.org' };
const CACHE: Need = { needs: 'write', path: '/home/me/.cache', scope: 'tree' };

/** Needs one thing after the other, and works once it has all of them. */
function needy(ran: (readonly Need[])[], ...needs: readonly Need[]) {
  return testTool({
    name: 'needy',
    kind: 'execute',
    plan: () => ({ resources: [], repeat: 'resumable' }),
    run: (_, { plan, attempt, directory }) => {
      const open = plan.needs ?? [];
      ran.push(open);
      const missing = needs[open.length];
      if (missing)
        throw new ToolFailure({ code: 'sandbox_denied', need: missing, exitCode: 6 }, 'so far so good');
      return { llmContent: `attempt ${attempt} in ${directory.split('/').at(-1)}`, returnDisplay: '' };
    },
  });
}

test('what the sandbox kept a call from becomes a question that names it; agreed, it runs with that [B2, L1]', async () => {
  const ran: (readonly Need[])[] = [];
  const { session } = await openTestSession([needy(ran, NETWORK, CACHE)], { mode: 'yolo' });
  const running = run(session, [{ callId: 'a', name: 'needy' }]);
  const digests: string[] = [];
  for (const named of ['example.org', '/home/me/.cache']) {
    await session.idle();
    const question = questionOf(session, 'a');
    expect(question.offers.map(({ outcome }) => outcome)).toEqual(['proceed_once', 'cancel']);
    const [call] = session.snapshot();
    expect(call).toMatchObject({ status: 'awaiting_approval', verdict: { because: 'sandbox' } });
    expect(call?.status === 'awaiting_approval' && call.verdict.reason).toContain(named);
    digests.push(question.digest);
    const answer = { type: 'answer', callId: 'a', outcome: 'proceed_once', by: 'me' } as const;
    if (digests.length > 1) {
      expect(await session.send({ ...answer, digest: digests[0] ?? '' })).toMatchObject({ ok: false });
    }
    expect(await session.send({ ...answer, digest: question.digest })).toMatchObject({ ok: true });
  }
  expect(await running).toMatchObject([
    { status: 'success', attempt: 3, result: { llmContent: 'attempt 3 in 1-0-3' } },
  ]);
  expect(ran).toEqual([[], [NETWORK], [NETWORK, CACHE]]);
  expect(new Set(digests).size).toBe(2);
  await session.dispose();
});

test('declined, it ends as cancelled and does not run again [B2]', async () => {
  const ran: (readonly Need[])[] = [];
  const { session } = await openTestSession([needy(ran, NETWORK)], { mode: 'yolo' });
  const running = run(session, [{ callId: 'a', name: 'needy' }]);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  await session.send({ type: 'answer', callId: 'a', digest, outcome: 'cancel', by: 'me' });
  expect(await running).toMatchObject([{ status: 'cancelled', reason: { type: 'declined' } }]);
  expect(ran).toHaveLength(1);
  await session.dispose();
});

test('where no user can be asked, the model learns what it was kept from [B2, A8]', async () => {
  const { session } = await openTestSession([needy([], NETWORK)], { mode: 'yolo' });
  const [call] = await run(session, [{ callId: 'a', name: 'needy' }], { attended: 'nobody' });
  expect(call).toMatchObject({
    status: 'error',
    failure: { code: 'sandbox_denied', need: NETWORK },
    partial: { output: 'so far so good' },
  });
  await session.dispose();
});

test('a question about the sandbox waits through a restart like any other [A6, B2]', async () => {
  const ran: (readonly Need[])[] = [];
  const { session, journal } = await openTestSession([needy(ran, NETWORK)], { mode: 'yolo' });
  void run(session, [{ callId: 'a', name: 'needy' }]).catch(() => undefined);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  await session.dispose();

  const { session: next } = await openTestSession([needy(ran, NETWORK)], { journal });
  expect(questionOf(next, 'a').digest).toBe(digest);
  const [turn = 0] = next.openTurns;
  const ended = next.turnEnded(turn);
  await next.send({ type: 'answer', callId: 'a', digest, outcome: 'proceed_once', by: 'me' });
  expect(await ended).toMatchObject({ ok: true, calls: [{ status: 'success', attempt: 2 }] });
  expect(ran).toEqual([[], [NETWORK]]);
  await next.dispose();
});
