import { openTestSession, questionOf, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

test('an answer without a key is not the one that had a key, whether or not its turn is over [A5]', async () => {
  const { session } = await openTestSession([
    testTool({ name: 'change', kind: 'edit' }),
    testTool({ name: 'other', kind: 'edit' }),
  ]);
  const running = run(session, [
    { callId: 'a', name: 'change' },
    { callId: 'b', name: 'other' },
  ]);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  const answer = { type: 'answer', callId: 'a', digest, outcome: 'proceed_once', by: 'me' } as const;
  expect(await session.send({ ...answer, key: 'k' })).toMatchObject({ ok: true });
  const tooLate = { ok: false, failure: { code: 'already_answered', by: 'me' } };
  expect(await session.send(answer)).toMatchObject(tooLate);
  expect(await session.send({ ...answer, key: 'k' })).toMatchObject({ ok: true, repeated: true });

  await session.send({ ...answer, callId: 'b', digest: questionOf(session, 'b').digest, outcome: 'cancel' });
  await running;
  expect(await session.send(answer)).toMatchObject(tooLate);
  expect(await session.send({ ...answer, key: 'k' })).toMatchObject({ ok: true, repeated: true });
  await session.dispose();
});
