import { openTestSession, questionOf, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

test('a tool that wants to know is told of each answer that counts, once, while the call still waits', async () => {
  const heard: string[] = [];
  const asking = testTool({
    name: 'asking',
    kind: 'edit',
    plan: ({ tag }) => ({
      onAnswer: async (outcome) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        heard.push(`${String(tag)} ${outcome} ${session.snapshot()[0]?.status}`);
      },
    }),
  });
  const { session } = await openTestSession([asking]);
  const running = run(session, [{ callId: 'a', name: 'asking', args: { tag: 'a' } }]);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  const say = (outcome: 'proceed_once' | 'cancel', by: string, seen = digest) =>
    session.send({ type: 'answer', callId: 'a', digest: seen, outcome, by });
  const acks = await Promise.all([
    say('proceed_once', 'x', 'stale'),
    say('proceed_once', 'alice'),
    say('cancel', 'bob'),
  ]);
  expect(acks.map((ack) => (ack.ok ? 'ok' : ack.failure.code))).toEqual([
    'question_changed',
    'ok',
    'already_answered',
  ]);
  expect((await running)[0]?.status).toBe('success');
  expect(heard).toEqual(['a proceed_once awaiting_approval']);
  await session.dispose();
});

test('if it objects by throwing, the call fails with its words and is not run', async () => {
  let ran = false;
  const asking = testTool({
    name: 'asking',
    kind: 'edit',
    plan: () => ({
      onAnswer: () => {
        throw new Error('not like this');
      },
    }),
    run: () => {
      ran = true;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([asking]);
  const running = run(session, [{ callId: 'a', name: 'asking' }]);
  await session.idle();
  const { digest } = questionOf(session, 'a');
  const ack = await session.send({ type: 'answer', callId: 'a', digest, outcome: 'proceed_once', by: 'me' });
  expect(ack).toMatchObject({
    ok: false,
    failure: { code: 'unhandled_exception', message: 'not like this' },
  });
  expect((await running)[0]).toMatchObject({ status: 'error', failure: { message: 'not like this' } });
  expect(ran).toBe(false);
  await session.dispose();
});
