import { deferred, openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

test('the plan of a cancelled call is not taken for that of a later one with the same id [L2]', async () => {
  const plans: { readonly text: unknown; readonly made: ReturnType<typeof deferred<void>> }[] = [];
  const ran: unknown[] = [];
  const change = testTool({
    name: 'change',
    kind: 'edit',
    plan: async ({ text }) => {
      const made = deferred();
      plans.push({ text, made });
      await made.promise;
      return { title: String(text) };
    },
    run: ({ text }) => {
      ran.push(text);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([change]);
  const abort = new AbortController();
  const old = run(session, [{ callId: 'c', name: 'change', args: { text: 'old' } }], {
    signal: abort.signal,
  });
  await until(() => plans.length === 1, 'the first is being planned');
  abort.abort();
  const again = run(session, [{ callId: 'c', name: 'change', args: { text: 'new' } }]);
  expect((await old)[0]?.status).toBe('cancelled');
  plans[0]?.made.resolve();
  await until(() => plans.length === 2, 'the second is planned too');
  plans[1]?.made.resolve();
  await until(() => session.snapshot()[0]?.status === 'awaiting_approval', 'the second is asked about');

  const { digest, confirmation } = questionOf(session, 'c');
  expect(confirmation.title).toBe('new');
  await session.send({ type: 'answer', callId: 'c', digest, outcome: 'proceed_once', by: 'me' });
  await again;
  expect(ran).toEqual(['new']);
  await session.dispose();
});
