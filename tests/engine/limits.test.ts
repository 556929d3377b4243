import { ToolFailure } from '@countersign/protocol';
import { deferred, openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const forever = () => new Promise<never>(() => {});

test('a call that never settles is stopped at its time limit, and says whether the tool reacted [S4]', async () => {
  const obedient = testTool({
    name: 'obedient',
    timeoutMs: 30,
    run: (_, { signal, updateOutput }) => {
      updateOutput('half done');
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    },
  });
  const { session } = await openTestSession(
    [obedient, testTool({ name: 'deaf', timeoutMs: 30, run: forever })],
    {
      limits: { stopGraceMs: 20 },
    },
  );
  const [first, second] = await run(session, [{ name: 'obedient' }, { name: 'deaf' }]);
  expect(first).toMatchObject({
    status: 'error',
    failure: { code: 'timed_out', afterMs: 30, stopped: true },
    partial: { output: 'half done', mayHaveHappened: true },
  });
  expect(second).toMatchObject({ status: 'error', failure: { code: 'timed_out', stopped: false } });
  await session.dispose();
});

test('waiting for a person does not count towards the time limit [S4]', async () => {
  const { session } = await openTestSession([testTool({ name: 'change', kind: 'edit', timeoutMs: 30 })]);
  const running = run(session, [{ callId: 'c', name: 'change' }]);
  await session.idle();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await session.send({
    type: 'answer',
    callId: 'c',
    digest: questionOf(session, 'c').digest,
    outcome: 'proceed_once',
    by: 'me',
  });
  expect((await running)[0]?.status).toBe('success');
  await session.dispose();
});

test('a plan that never settles fails its call and lets the others continue', async () => {
  const stuck = testTool({ name: 'stuck', plan: forever });
  const { session } = await openTestSession([stuck, testTool({ name: 'fine' })], {
    limits: { planTimeoutMs: 20 },
  });
  const calls = await run(session, [{ name: 'stuck' }, { name: 'fine' }]);
  expect(calls[0]).toMatchObject({ status: 'error', failure: { code: 'plan_timed_out', afterMs: 20 } });
  expect(calls[1]?.status).toBe('success');
  await session.dispose();
});

test('a passing fault is tried again, a bounded number of times, if the plan is safe to repeat [S4]', async () => {
  const attempts: number[] = [];
  const flaky = (name: string, repeat: 'safe' | 'unsafe', succeedAt: number) =>
    testTool({
      name,
      plan: () => ({ repeat }),
      run: (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < succeedAt) throw new ToolFailure({ code: 'network', message: 'gone' });
        return { llmContent: `at ${attempt}`, returnDisplay: '' };
      },
    });
  const options = { limits: { attemptsMax: 3, backoffMs: () => 1 } };
  const { session } = await openTestSession(
    [flaky('soon', 'safe', 2), flaky('never', 'safe', 99), flaky('once', 'unsafe', 2)],
    options,
  );
  const [soon] = await run(session, [{ name: 'soon' }]);
  expect(soon).toMatchObject({ status: 'success', attempt: 2, result: { llmContent: 'at 2' } });
  const [never] = await run(session, [{ name: 'never' }]);
  expect(never).toMatchObject({ status: 'error', failure: { code: 'network' } });
  const [once] = await run(session, [{ name: 'once' }]);
  expect(once?.status).toBe('error');
  expect(attempts).toEqual([1, 2, 1, 2, 3, 1]);
  await session.dispose();
});

test('cancel works in every status, and a running call ends only when it has really stopped [L5]', async () => {
  const planGate = deferred();
  const stopped: string[] = [];
  const tools = [
    testTool({
      name: 'planning',
      plan: async () => {
        await planGate.promise;
        return {};
      },
    }),
    testTool({ name: 'asking', kind: 'edit' }),
    testTool({
      name: 'running',
      plan: () => ({ resources: [{ kind: 'opaque', why: 'test' }], byDefault: 'allow' }),
      run: (_, { signal, updateOutput }) => {
        updateOutput('line 1');
        return new Promise((resolve) =>
          signal.addEventListener('abort', () =>
            setTimeout(() => {
              stopped.push('running');
              resolve({ llmContent: 'returned all the same', returnDisplay: '' });
            }, 15),
          ),
        );
      },
    }),
    testTool({
      name: 'behind',
      plan: () => ({ resources: [{ kind: 'opaque', why: 'test' }], byDefault: 'allow' }),
      run: () => stopped.push('never'),
    }),
  ];
  const { session } = await openTestSession(tools);
  const running = run(session, [
    { callId: 'r', name: 'running' },
    { callId: 'b', name: 'behind' },
    { callId: 'a', name: 'asking' },
    { callId: 'p', name: 'planning' },
  ]);
  await until(() => session.snapshot().some(({ status }) => status === 'executing'), 'one runs');
  await until(() => session.snapshot().some(({ status }) => status === 'awaiting_approval'), 'one asks');
  expect(session.snapshot().map(({ status }) => status)).toEqual([
    'executing',
    'scheduled',
    'awaiting_approval',
    'validating',
  ]);
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' });
  expect(session.snapshot().map(({ status }) => status)).toEqual([
    'executing',
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
  const calls = await running;
  expect(calls.map(({ status }) => status)).toEqual(Array(4).fill('cancelled'));
  expect(calls[0]).toMatchObject({ partial: { output: 'returned all the same', mayHaveHappened: true } });
  expect(stopped).toEqual(['running']);
  planGate.resolve();
  await session.dispose();
});

test('cancelling what is over or unknown is a clear refusal [L5]', async () => {
  const gate = deferred();
  const slow = testTool({
    name: 'slow',
    run: async () => {
      await gate.promise;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([slow, testTool({ name: 'fast' })]);
  const running = run(session, [
    { callId: 's', name: 'slow' },
    { callId: 'f', name: 'fast' },
  ]);
  await until(() => session.snapshot()[1]?.status === 'success', 'the fast one is over');
  const over = await session.send({ type: 'cancel', target: { type: 'call', callId: 'f' }, by: 'me' });
  expect(over).toMatchObject({ ok: false, failure: { code: 'already_settled', status: 'success' } });
  const unknown = await session.send({ type: 'cancel', target: { type: 'call', callId: 'x' }, by: 'me' });
  expect(unknown).toMatchObject({ ok: false, failure: { code: 'unknown_call' } });
  gate.resolve();
  await running;
  await session.dispose();
});

test('progress and output after the end are not heard, and settling twice counts once', async () => {
  let late: (() => void) | undefined;
  const chatty = testTool({
    name: 'chatty',
    run: (_, { updateOutput, progress }) => {
      late = () => {
        updateOutput('too late');
        progress(1, 2);
      };
      return new Promise((resolve) => {
        resolve({ llmContent: 'first', returnDisplay: '' });
        resolve({ llmContent: 'second', returnDisplay: '' });
      });
    },
  });
  const { session } = await openTestSession([chatty]);
  const shown: unknown[] = [];
  const abort = new AbortController();
  const listening = (async () => {
    for await (const batch of session.events(0, abort.signal))
      for (const delivery of batch) if ('live' in delivery) shown.push(delivery);
  })();
  const [call] = await run(session, [{ name: 'chatty' }]);
  late?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  await listening;
  expect(call).toMatchObject({ result: { llmContent: 'first' } });
  expect(shown).toEqual([]);
  await session.dispose();
});

test('dispose ends what runs, keeps what waits, and leaves no timer behind [S6]', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  let aborted = false;
  const slow = testTool({
    name: 'slow',
    run: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('stopped'));
        }),
      ),
  });
  const { session, journal } = await openTestSession([slow, testTool({ name: 'asking', kind: 'edit' })]);
  const running = session.schedule([{ name: 'slow' }, { callId: 'q', name: 'asking' }]);
  const statuses = () => session.snapshot().map(({ status }) => status);
  await until(() => statuses().join() === 'executing,awaiting_approval', 'both are under way');
  await session.dispose();
  expect(aborted).toBe(true);
  expect(await running).toMatchObject({ ok: false, failure: { code: 'disposed' } });
  expect(await session.send({ type: 'cancel', target: { type: 'all' }, by: 'me' })).toMatchObject({
    ok: false,
    failure: { code: 'disposed' },
  });
  // The test runner has timers of its own, which end; one that a session left would stay.
  await expect.poll(timers).toBeLessThanOrEqual(before);

  const again = await openTestSession([slow, testTool({ name: 'asking', kind: 'edit' })], { journal });
  expect(again.session.snapshot().map(({ status }) => status)).toEqual(['cancelled', 'awaiting_approval']);
  await again.session.dispose();
});
