import { type ApprovalChannel, FollowedSession, followSession, SessionEvents } from '@countersign/client';
import { type Need, ToolFailure } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

const asking = testTool({
  name: 'asking',
  plan: (args) => ({ title: `Say ${String(args['text'])}`, byDefault: 'ask_user' }),
});

const NETWORK: Need = { needs: 'network', host: 'example.org' };
const needy = testTool({
  name: 'needy',
  kind: 'execute',
  plan: () => ({ resources: [], repeat: 'resumable', byDefault: 'ask_user' }),
  run: (_, { plan }) => {
    if (!plan.needs) throw new ToolFailure({ code: 'sandbox_denied', need: NETWORK, exitCode: 6 }, '');
    return { llmContent: 'done', returnDisplay: '' };
  },
});

/** Writes down what it is told. */
class Recorder implements ApprovalChannel {
  readonly told: string[] = [];

  offer({ request, question }: Parameters<ApprovalChannel['offer']>[0]): void {
    this.told.push(`offer ${request.callId} ${question.digest.slice(0, 6)}`);
  }

  withdraw(callId: string, by: string | null): void {
    this.told.push(`withdraw ${callId} by ${by}`);
  }
}

async function opened() {
  const events = new SessionEvents();
  const recorder = new Recorder();
  events.connect(recorder);
  const { session } = await openTestSession([asking, needy], { watcher: events });
  const shortDigest = (callId: string) => questionOf(session, callId).digest.slice(0, 6);
  const answer = (callId: string, outcome: 'proceed_once' | 'cancel', by = 'me') =>
    session.send({ type: 'answer', callId, digest: questionOf(session, callId).digest, outcome, by });
  return { session, events, told: recorder.told, shortDigest, answer };
}

test('a question is offered once, and withdrawn with the name of who answered it [A1, A5]', async () => {
  const { session, told, shortDigest, answer } = await opened();
  const running = run(session, [{ callId: 'a', name: 'asking', args: { text: 'hi' } }]);
  await session.idle();
  const digest = shortDigest('a');
  expect(told).toEqual([`offer a ${digest}`]);
  await answer('a', 'proceed_once', 'bob');
  await running;
  expect(told).toEqual([`offer a ${digest}`, 'withdraw a by bob']);
  await session.dispose();
});

test('after the sandbox stopped a run its new question is offered like the first [B2]', async () => {
  const { session, told, shortDigest, answer } = await opened();
  const running = run(session, [{ callId: 'a', name: 'needy' }]);
  await session.idle();
  const first = shortDigest('a');
  await answer('a', 'proceed_once');
  await session.idle();
  const second = shortDigest('a');
  await answer('a', 'proceed_once');
  expect(await running).toMatchObject([{ status: 'success' }]);
  expect(second).not.toBe(first);
  expect(told).toEqual([`offer a ${first}`, 'withdraw a by me', `offer a ${second}`, 'withdraw a by me']);
  await session.dispose();
});

test('a modified call is withdrawn in the name of who modified it, and offered with its new digest [A4]', async () => {
  const { session, told, shortDigest } = await opened();
  void run(session, [{ callId: 'a', name: 'asking', args: { text: 'hi' } }]).catch(() => undefined);
  await session.idle();
  const first = shortDigest('a');
  const { digest } = questionOf(session, 'a');
  await session.send({ type: 'modify', callId: 'a', digest, args: { text: 'ho' }, by: 'ann' });
  await session.idle();
  expect(told).toEqual([`offer a ${first}`, 'withdraw a by ann', `offer a ${shortDigest('a')}`]);
  expect(shortDigest('a')).not.toBe(first);
  await session.dispose();
});

test('a cancelled call is withdrawn, in nobody’s name [L2]', async () => {
  const { session, told } = await opened();
  const running = run(session, [{ callId: 'a', name: 'asking', args: { text: 'hi' } }]);
  await session.idle();
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  await running;
  expect(told.at(-1)).toBe('withdraw a by null');
  expect(told).toHaveLength(2);
  await session.dispose();
});

test('who connects later is offered what waits, and nothing that was answered before [A5]', async () => {
  const { session, events, shortDigest, answer } = await opened();
  const calls = ['a', 'b'].map((callId) => ({ callId, name: 'asking', args: { text: callId } }));
  void run(session, calls).catch(() => undefined);
  await session.idle();
  await answer('a', 'cancel');
  const late = new Recorder();
  const stop = events.connect(late);
  expect(late.told).toEqual([`offer b ${shortDigest('b')}`]);

  const followed = new Recorder();
  const following = new FollowedSession(session);
  following.events.connect(followed);
  const over = new AbortController();
  const ended = following.follow(over.signal);
  await expect.poll(() => followed.told).toEqual([`offer b ${shortDigest('b')}`]);
  over.abort();
  await ended;
  stop();
  await answer('b', 'cancel');
  expect(late.told).toHaveLength(1);
  await session.dispose();
});

test('a listener that throws keeps nothing from the others, and the session is told [E1]', async () => {
  const heard: string[] = [];
  const over = new AbortController();
  const { session } = await openTestSession([asking]);
  const following = followSession(session, over.signal, {
    onFact: () => {
      throw new Error('broken listener');
    },
    onFacts: (facts) => heard.push(...facts.map(({ event }) => event.type)),
  });
  await expect(following).rejects.toThrow('broken listener');
  expect(heard).toContain('session.opened');
  await session.dispose();
});
