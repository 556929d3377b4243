import { once } from 'node:events';
import { createServer } from 'node:net';
import { skipBecause } from '@countersign/testkit/vitest';
import { describe, expect, onTestFinished } from 'vitest';
import { UNAVAILABLE } from '../../packages/tools/src/run-shell-command/testing/sandbox-here.js';
import { type Place, test } from '../cli/program.js';
import {
  answerElsewhere,
  modifyElsewhere,
  type StartFrontEnd,
  until,
  untilWaiting,
  type Wanted,
  writing,
} from './front-end.js';

/** A front end under the contract, with what it cannot express. */
export type Subject = {
  readonly name: string;
  readonly start: StartFrontEnd;
  /** Its calls wait for one another, so that there are never two questions at once. */
  readonly isOneByOne?: true;
  /** It shows the title of a question and nothing else, so that a changed question looks like the one before. */
  readonly showsTitlesOnly?: true;
  /** Its shell is not confined by itself: a tool of its own is stopped instead, after a question of its own. */
  readonly isUnconfined?: true;
};

/** What every front end does with the questions of a session. */
export function describeContract(subject: Subject): void {
  describe(`through ${subject.name}`, () => {
    describeOneQuestion(subject);
    if (!subject.isOneByOne) describeTwoQuestions(subject);
  });
}

function describeOneQuestion({ start, showsTitlesOnly, isUnconfined }: Subject): void {
  const begin = (place: Place, ...batches: readonly (readonly Wanted[])[]) => start({ place, batches });

  test('a yes carries the call out, once it was given [A1]', async ({ place }) => {
    const front = await begin(place, [writing('a.txt')]);
    await untilWaiting(front, 'a.txt');
    expect(place.has('a.txt')).toBe(false);
    await front.answer('a.txt', 'proceed_once');
    expect(await front.ended()).toEqual(['done']);
    expect(place.read('a.txt')).toBe('content of a.txt');
    expect(front.shown()).toHaveLength(1);
  });

  test('a no leaves everything as it was [A2]', async ({ place }) => {
    const front = await begin(place, [writing('a.txt')]);
    await front.answer('a.txt', 'cancel');
    expect(await front.ended()).toEqual(['not done']);
    expect(place.has('a.txt')).toBe(false);
    expect(await front.waiting()).toEqual([]);
  });

  test('an "always" answers the next question before it is asked [A2]', async ({ place }) => {
    const front = await begin(place, [writing('a.txt')], [writing('b.txt')]);
    await front.answer('a.txt', 'proceed_always');
    expect(await front.ended()).toEqual(['done', 'done']);
    expect(place.read('b.txt')).toBe('content of b.txt');
    expect(front.shown()).toHaveLength(1);
  });

  test('a question that is answered elsewhere is withdrawn, and the call goes on [A5]', async ({ place }) => {
    const front = await begin(place, [writing('a.txt')]);
    await untilWaiting(front, 'a.txt');
    expect(await answerElsewhere(place, 'a.txt', 'proceed_once')).toMatchObject({ ok: true });
    expect(await front.ended()).toEqual(['done']);
    expect(await front.waiting()).toEqual([]);
    expect(front.shown()).toHaveLength(1);
  });

  test('a call that is modified elsewhere is asked about anew, with another digest [A4]', async ({
    place,
  }) => {
    const front = await begin(place, [writing('a.txt')]);
    await untilWaiting(front, 'a.txt');
    const args = { file_path: 'a.txt', content: 'as somebody else wants it' };
    expect(await modifyElsewhere(place, 'a.txt', args)).toMatchObject({ ok: true });
    if (!showsTitlesOnly) {
      await until(() => front.shown().length === 2, 'the question that took its place');
      const [before, now] = front.shown().map(({ digest }) => digest);
      if (before !== null) expect(now).not.toBe(before);
    }
    await front.answer('a.txt', 'proceed_once');
    expect(await front.ended()).toEqual(['done']);
    expect(place.read('a.txt')).toBe('as somebody else wants it');
  });

  test('cancelled, nothing is asked any more and nothing is done [L2]', async ({ place }) => {
    const front = await begin(place, [writing('a.txt')]);
    await untilWaiting(front, 'a.txt');
    await front.cancel();
    expect(await front.ended()).toEqual(['not done']);
    expect(await front.waiting()).toEqual([]);
    expect(place.has('a.txt')).toBe(false);
  });

  describe('in the sandbox', () => {
    skipBecause(UNAVAILABLE);

    test('a call that it stops is asked about, and runs on once that is allowed [B2]', async ({ place }) => {
      const { title, calls, policy } = isUnconfined ? NEEDY : await stoppedCommand(place);
      const front = await start({ place, batches: [calls], ...(policy && { policy }) });
      if (isUnconfined) await front.answer(title, 'proceed_once');
      await until(() => front.shown().length === (isUnconfined ? 2 : 1), 'the question of the sandbox');
      await untilWaiting(front, title);
      await front.answer(title, 'proceed_once');
      expect(await front.ended()).toEqual(['done']);
      expect(await front.waiting()).toEqual([]);
    });

    test('a call that it stops ends if that is declined [B2]', async ({ place }) => {
      const { title, calls, policy } = isUnconfined ? NEEDY : await stoppedCommand(place);
      const front = await start({ place, batches: [calls], ...(policy && { policy }) });
      if (isUnconfined) await front.answer(title, 'proceed_once');
      await until(() => front.shown().length === (isUnconfined ? 2 : 1), 'the question of the sandbox');
      await untilWaiting(front, title);
      await front.answer(title, 'cancel');
      expect(await front.ended()).toEqual(['not done']);
      expect(await front.waiting()).toEqual([]);
    });
  });
}

function describeTwoQuestions({ start }: Subject): void {
  test('two questions at once are answered in any order, each for itself [A1]', async ({ place }) => {
    const front = await start({ place, batches: [[writing('a.txt'), writing('b.txt')]] });
    await untilWaiting(front, 'a.txt', 'b.txt');
    await front.answer('b.txt', 'proceed_once');
    await front.answer('a.txt', 'cancel');
    expect(await front.ended()).toEqual(['not done', 'done']);
    expect([place.has('a.txt'), place.has('b.txt')]).toEqual([false, true]);
  });

  test('an "always" to one of two withdraws the other, which it covers [A2]', async ({ place }) => {
    const front = await start({ place, batches: [[writing('a.txt'), writing('b.txt')]] });
    await untilWaiting(front, 'a.txt', 'b.txt');
    await front.answer('a.txt', 'proceed_always');
    expect(await front.ended()).toEqual(['done', 'done']);
    expect(await front.waiting()).toEqual([]);
    expect(front.shown()).toHaveLength(2);
  });
}

const NEEDY = { title: 'needy', calls: [{ name: 'needy', args: {} }], policy: null };

/** A command that the sandbox stops, and that policy allows. */
async function stoppedCommand(place: Place) {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  place.write(
    '../allow.toml',
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 100\n',
  );
  const command = `(exec 3<>/dev/tcp/127.0.0.1/${port}) || exit 9`;
  return {
    title: '/dev/tcp',
    calls: [{ name: 'run_shell_command', args: { command } }],
    policy: `${place.directory}/allow.toml`,
  };
}
