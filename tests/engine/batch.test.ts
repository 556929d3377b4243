import type { Tool } from '@countersign/engine';
import { explain, type SettledCall } from '@countersign/protocol';
import { deferred, openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const echo = testTool({ name: 'echo', run: ({ text }) => ({ llmContent: String(text), returnDisplay: '' }) });
const failureOf = (call: SettledCall | undefined) => (call?.status === 'error' ? call.failure : undefined);

test('a batch runs and its completed calls come back in request order [S1]', async () => {
  const slow = testTool({
    name: 'slow',
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { llmContent: 'slow', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([echo, slow]);
  const calls = await run(session, [
    { callId: 'a', name: 'slow' },
    { callId: 'b', name: 'echo', args: { text: 'hi' } },
  ]);
  expect(calls.map(({ request, status }) => [request.callId, status])).toEqual([
    ['a', 'success'],
    ['b', 'success'],
  ]);
  expect(calls[1]).toMatchObject({ result: { llmContent: 'hi' } });
  await session.dispose();
});

test('a missing id, name or arguments are filled in [L2]', async () => {
  const { session } = await openTestSession([echo]);
  const [unnamed, given] = await run(session, [{}, { name: 'echo' }]);
  expect(unnamed?.request.name).toBe('undefined_tool_name');
  expect(unnamed?.request.callId).toMatch(/^undefined_tool_name-\d+-[0-9a-f]+$/);
  expect(given?.request.callId).toMatch(/^echo-\d+-[0-9a-f]+$/);
  expect(given?.request.args).toEqual({});
  await session.dispose();
});

test('one bad call of a batch never harms its siblings, and each error says what to do [L3]', async () => {
  const strict = testTool({
    name: 'strict',
    check: () => ({ ok: false, problems: ['"file" is required (string)'] }),
  });
  const { session } = await openTestSession([echo, strict]);
  const calls = await run(session, [
    { callId: 'a', name: 'ecko' },
    { callId: 'b', name: 'strict' },
    { callId: 'c', name: 'echo', args: { text: 'fine' } },
    { callId: 'c', name: 'echo', args: { text: 'again' } },
  ]);
  expect(calls.map(({ status }) => status)).toEqual(['error', 'error', 'success', 'error']);
  const texts = calls.map((call) => (call.status === 'error' ? explain(call.failure).message : ''));
  expect(texts[0]).toBe('Tool "ecko" not found in registry. Did you mean "echo"?');
  expect(texts[1]).toBe('Invalid arguments for strict: "file" is required (string).');
  expect(texts[3]).toContain('already has the id "c"');
  expect(calls[3]?.request.wireId).toBe('c');
  await session.dispose();
});

test('the same id may come again in a later turn, and in one that queues [L2]', async () => {
  const { session } = await openTestSession([echo]);
  const both = await Promise.all([
    run(session, [{ callId: 'a', name: 'echo', args: { text: '1' } }]),
    run(session, [{ callId: 'a', name: 'echo', args: { text: '2' } }]),
  ]);
  const third = await run(session, [{ callId: 'a', name: 'echo', args: { text: '3' } }]);
  expect([...both, third].map(([call]) => [call?.status, call?.request.wireId])).toEqual(
    Array(3).fill(['success', 'a']),
  );
  await session.dispose();
});

test('a tool may throw anything, return anything, or fail at planning: each is an error that says so', async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const throwing = (name: string, value: unknown) =>
    testTool({
      name,
      run: () => {
        throw value;
      },
    });
  const { session } = await openTestSession([
    throwing('throws_text', 'plain text'),
    throwing('throws_nothing', undefined),
    throwing('throws_cycle', cyclic),
    testTool({ name: 'rejects', run: () => Promise.reject(new TypeError('bad type')) }),
    testTool({ name: 'returns_number', run: () => 42 }),
    testTool({ name: 'returns_cycle', run: () => ({ llmContent: cyclic, returnDisplay: '' }) }),
    testTool({ name: 'returns_bigint', run: () => ({ llmContent: { n: 1n }, returnDisplay: '' }) }),
    testTool({
      name: 'plan_throws',
      plan: () => {
        throw new Error('no plan');
      },
    }),
    testTool({ name: 'plan_rejects', plan: () => Promise.reject(new Error('no plan')) }),
    echo,
  ]);
  const names = [
    'throws_text',
    'throws_nothing',
    'throws_cycle',
    'rejects',
    'returns_number',
    'returns_cycle',
    'returns_bigint',
    'plan_throws',
    'plan_rejects',
  ];
  const calls = await run(session, [
    ...names.map((name) => ({ name })),
    { name: 'echo', args: { text: 'x' } },
  ]);
  expect(calls.map((call) => failureOf(call)?.code ?? call.status)).toEqual([
    'unhandled_exception',
    'unhandled_exception',
    'unhandled_exception',
    'unhandled_exception',
    'result_not_plain',
    'result_not_plain',
    'result_not_plain',
    'plan_failed',
    'plan_failed',
    'success',
  ]);
  expect(failureOf(calls[0])).toMatchObject({ message: 'plain text' });
  expect(failureOf(calls[3])).toMatchObject({ message: 'bad type' });
  await session.dispose();
});

test('arguments are copied when they arrive: changing them later changes nothing', async () => {
  const gate = deferred();
  const args = { text: 'as asked' };
  const seen: unknown[] = [];
  const tool = testTool({
    name: 'late',
    plan: async () => {
      await gate.promise;
      return {};
    },
    run: (given) => {
      seen.push(given['text']);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool]);
  const running = run(session, [{ name: 'late', args }]);
  args.text = 'changed behind our back';
  gate.resolve();
  await running;
  expect(seen).toEqual(['as asked']);
  await session.dispose();
});

test('a second batch queues behind the first, or is refused with the documented error [S1]', async () => {
  const gate = deferred();
  const order: string[] = [];
  const note = testTool({
    name: 'note',
    run: async ({ text, wait }) => {
      if (wait) await gate.promise;
      order.push(String(text));
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([note]);
  const first = run(session, [{ name: 'note', args: { text: 'first', wait: true } }]);
  const second = run(session, [{ name: 'note', args: { text: 'second' } }]);
  const third = await session.schedule([{ name: 'note' }], { whenBusy: 'reject' });
  expect(third.ok || explain(third.failure).message).toBe(
    'Cannot schedule new tool calls while other tool calls are actively running (executing or awaiting approval).',
  );
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
  await session.dispose();
});

test('a batch that is aborted while it queues is cancelled cleanly and never planned [S1]', async () => {
  const gate = deferred();
  let planned = 0;
  const tool = testTool({
    name: 'tool',
    plan: () => {
      planned++;
      return {};
    },
    run: async () => {
      await gate.promise;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool]);
  const first = run(session, [{ name: 'tool' }]);
  await until(() => planned === 1, 'the first is planned');
  const abort = new AbortController();
  const queued = run(session, [{ name: 'tool' }], { signal: abort.signal });
  abort.abort();
  gate.resolve();
  await first;
  expect((await queued)[0]?.status).toBe('cancelled');
  expect(planned).toBe(1);
  await session.dispose();
});

test('an empty batch ends at once [S1]', async () => {
  const { session } = await openTestSession([]);
  expect(await run(session, [])).toEqual([]);
  await session.dispose();
});

test('with "together" nothing starts until every call of the batch is decided [S3]', async () => {
  const started: string[] = [];
  const tool = (name: string, kind: 'read' | 'edit') =>
    testTool({
      name,
      kind,
      run: () => {
        started.push(name);
        return { llmContent: '', returnDisplay: '' };
      },
    });
  const { session } = await openTestSession([tool('look', 'read'), tool('change', 'edit')]);
  const running = run(session, [{ name: 'look' }, { callId: 'c', name: 'change' }], { start: 'together' });
  await session.idle();
  expect(started).toEqual([]);
  const { digest } = questionOf(session, 'c');
  await session.send({ type: 'answer', callId: 'c', digest, outcome: 'proceed_once', by: 'me' });
  await running;
  expect(started).toEqual(['look', 'change']);
  await session.dispose();
});

test('with "as_granted" an allowed call does not wait for the person who looks at another [S3]', async () => {
  const { session } = await openTestSession([echo, testTool({ name: 'change', kind: 'edit' })]);
  const running = run(
    session,
    [
      { callId: 'c', name: 'change' },
      { callId: 'e', name: 'echo' },
    ],
    { start: 'as_granted' },
  );
  await session.idle();
  expect(session.snapshot().map(({ status }) => status)).toEqual(['awaiting_approval', 'success']);
  const { digest } = questionOf(session, 'c');
  await session.send({ type: 'answer', callId: 'c', digest, outcome: 'cancel', by: 'me' });
  await running;
  await session.dispose();
});

test('conflicting calls keep request order, the others run beside each other [S2]', async () => {
  const log: string[] = [];
  const file = testTool({
    name: 'file',
    plan: ({ path, write }) => ({
      resources: [{ kind: write ? 'fs.write' : 'fs.read', path: String(path), scope: 'file' }],
    }),
    run: async ({ tag }) => {
      log.push(`+${String(tag)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      log.push(`-${String(tag)}`);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([file], { mode: 'yolo' });
  await run(session, [
    { name: 'file', args: { tag: 'w1', path: '/w/a', write: true } },
    { name: 'file', args: { tag: 'w2', path: '/w/a', write: true } },
    { name: 'file', args: { tag: 'r1', path: '/w/b' } },
    { name: 'file', args: { tag: 'r2', path: '/w/b' } },
  ]);
  expect(log.indexOf('-w1')).toBeLessThan(log.indexOf('+w2'));
  expect(log.indexOf('+r2')).toBeLessThan(log.indexOf('-r1'));
  expect(log.indexOf('+r1')).toBeLessThan(log.indexOf('-w1'));
  await session.dispose();
});

test('wait_for_previous keeps a call behind all earlier ones and is not shown to the tool [S2]', async () => {
  const log: string[] = [];
  const tool = testTool({
    name: 'tool',
    run: async (args) => {
      log.push(JSON.stringify(args));
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push('end');
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool]);
  const calls = await run(session, [
    { name: 'tool', args: { n: 1 } },
    { name: 'tool', args: { n: 2, wait_for_previous: true } },
    { name: 'tool', args: { n: 3, wait_for_previous: 'yes' } },
  ]);
  expect(log).toEqual(['{"n":1}', 'end', '{"n":2}', 'end']);
  expect(failureOf(calls[2])?.code).toBe('invalid_tool_params');
  await session.dispose();
});

test('never more calls run at once than the limit allows [S4]', async () => {
  let now = 0;
  let most = 0;
  const tool = testTool({
    name: 'tool',
    run: async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool], { limits: { runningMax: 3 } });
  await run(
    session,
    Array.from({ length: 20 }, () => ({ name: 'tool' })),
  );
  expect(most).toBe(3);
  await session.dispose();
});

test('a tool that stumbles over arguments while renaming them harms only its own call [L3]', async () => {
  const clumsy: Tool = {
    ...testTool({ name: 'clumsy' }),
    renameArgs: () => {
      throw new TypeError('no such member');
    },
  };
  const { session } = await openTestSession([clumsy, echo]);
  const calls = await run(session, [{ name: 'clumsy' }, { name: 'echo', args: { text: 'fine' } }]);
  expect(failureOf(calls[0])).toMatchObject({ code: 'invalid_tool_params' });
  expect(calls[1]?.status).toBe('success');
  const viaCommand = await session.send({ type: 'call', calls: [{ name: 'clumsy' }] });
  expect(viaCommand.ok).toBe(true);
  await session.dispose();
});
