import type { GrantPattern } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

test('a tool that wants to know receives each answer that counts, once, while the call still waits', async () => {
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

test('a tool may agree to less than the "always" on offer, never to more [P6]', async () => {
  const wishes: { readonly [tag: string]: GrantPattern | null } = {
    less: { kind: 'tool', tool: 'asking' },
    none: null,
    more: { kind: 'mcp-server', server: 'everything' },
  };
  for (const [tag, wish] of Object.entries(wishes)) {
    const asking = testTool({
      name: 'asking',
      kind: 'edit',
      plan: () => ({
        resources: [{ kind: 'fs.write', path: '/w/a', scope: 'file' }],
        confirmation: {
          type: 'edit',
          title: 'Edit',
          fileName: 'a',
          filePath: '/w/a',
          fileDiff: '+x',
          originalContent: null,
          newContent: 'x',
          diffStat: { added: 1, removed: 0 },
        },
        narrowGrant: () => wish,
      }),
    });
    const { session, journal } = await openTestSession([asking]);
    const running = run(session, [{ callId: 'a', name: 'asking' }]);
    await session.idle();
    const { digest } = questionOf(session, 'a');
    await session.send({ type: 'answer', callId: 'a', digest, outcome: 'proceed_always', by: 'me' });
    expect((await running)[0]?.status).toBe('success');
    const grants = await journal.grants({ sessionId: 'test', workspace: '/w' });
    expect(grants.map(({ pattern }) => pattern)).toEqual(tag === 'less' ? [wish] : []);
    await session.dispose();
  }
});
