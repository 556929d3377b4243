import { openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { askUser } from '@countersign/tools';
import { expect, test } from 'vitest';

const QUESTION = { question: 'Which colour?', header: 'Colour', type: 'text' } as const;

const asking = (heard: unknown[]) =>
  testTool({
    name: 'asking',
    run: async (_, { ask }) => {
      const answers = await ask([QUESTION]);
      heard.push(answers);
      return { llmContent: JSON.stringify(answers), returnDisplay: '' };
    },
  });

const waitingIn = (session: Parameters<typeof questionOf>[0]) =>
  session.snapshot().find(({ status }) => status === 'awaiting_approval');

test('a running call may ask the person, within its turn and whatever else runs; the model learns only of the call [M2, A1]', async () => {
  const heard: unknown[] = [];
  const { session } = await openTestSession([asking(heard), askUser], { limits: { runningMax: 1 } });
  const running = run(session, [{ callId: 'a', name: 'asking' }]);
  await until(() => waitingIn(session) !== undefined, 'it asks');
  const callId = waitingIn(session)?.request.callId ?? '';
  const { digest, confirmation } = questionOf(session, callId);
  expect(confirmation).toMatchObject({ type: 'ask_user', questions: [QUESTION] });
  const payload = { answers: ['green'] };
  await session.send({ type: 'answer', callId, digest, outcome: 'proceed_once', payload, by: 'me' });
  const calls = await running;
  expect(calls).toMatchObject([{ status: 'success', request: { name: 'asking' } }]);
  expect(heard).toEqual([['green']]);
  await session.dispose();
});

test('declined, or without a user to ask, it is answered with nothing [M2, A8]', async () => {
  const heard: unknown[] = [];
  const { session } = await openTestSession([asking(heard), askUser]);
  const running = run(session, [{ callId: 'a', name: 'asking' }]);
  await until(() => waitingIn(session) !== undefined, 'it asks');
  const callId = waitingIn(session)?.request.callId ?? '';
  const { digest } = questionOf(session, callId);
  await session.send({ type: 'answer', callId, digest, outcome: 'cancel', by: 'me' });
  await running;
  await run(session, [{ callId: 'b', name: 'asking' }], { attended: 'nobody' });
  expect(heard).toEqual([null, null]);
  await session.dispose();
});

test('cancelling the call that asks takes its question along [L5]', async () => {
  const { session } = await openTestSession([asking([]), askUser]);
  const running = run(session, [{ callId: 'a', name: 'asking' }]);
  await until(() => waitingIn(session) !== undefined, 'it asks');
  await session.send({ type: 'cancel', target: { type: 'call', callId: 'a' }, by: 'me' });
  expect(await running).toMatchObject([{ status: 'cancelled' }]);
  expect(session.openTurns).toEqual([]);
  await session.dispose();
});
