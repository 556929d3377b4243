import { memoryJournal } from '@countersign/engine';
import type { ModelRequest } from '@countersign/models';
import { deferred, questionOf, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { typesOf, working } from './working.js';

const look = testTool({ name: 'look', run: () => ({ llmContent: 'seen', returnDisplay: 'seen' }) });
const change = testTool({ name: 'change', kind: 'edit' });

const rolesOf = ({ contents }: ModelRequest) => contents.map(({ role }) => role);

test('the model is asked, its call carried out, and its result handed back until it stops [G2]', async () => {
  const { provider, say, live } = await working(
    [
      [{ thought: '**Looking** around' }, { text: 'Let me see. ' }, { call: 'look', id: 'c1' }],
      [{ text: 'Done.' }],
    ],
    [look],
  );
  const worked = await say('what is there?');
  expect(worked.ending).toEqual({ type: 'answered' });
  expect(typesOf(worked)).toEqual([
    'thought',
    'content',
    'tool_call_request',
    'finished',
    'tool_call_response',
    'content',
    'finished',
  ]);
  expect(worked.events[0]).toEqual({ type: 'thought', value: { subject: 'Looking', description: 'around' } });
  expect(provider.requests.map(rolesOf)).toEqual([['user'], ['user', 'model', 'user']]);
  expect(provider.requests[1]?.contents.at(-1)?.parts).toEqual([
    { functionResponse: { id: 'c1', name: 'look', response: { output: 'seen' } } },
  ]);
  await live.session.dispose();
});

test('calls of one answer run beside each other, and results go back in the order of the calls [G2, S2]', async () => {
  const gate = deferred();
  const slow = testTool({
    name: 'slow',
    run: async () => {
      await gate.promise;
      return { llmContent: 'slow', returnDisplay: '' };
    },
  });
  const quick = testTool({
    name: 'quick',
    run: () => {
      gate.resolve();
      return { llmContent: 'quick', returnDisplay: '' };
    },
  });
  const { provider, say, live } = await working(
    [[{ call: 'slow' }, { call: 'quick' }], [{ text: 'ok' }]],
    [slow, quick],
  );
  await say('both');
  expect(provider.requests[1]?.contents.at(-1)?.parts).toMatchObject([
    { functionResponse: { response: { output: 'slow' } } },
    { functionResponse: { response: { output: 'quick' } } },
  ]);
  await live.session.dispose();
});

test('a question is reported with all that it takes to answer it; declined with a reason, the model learns why [G2, A2]', async () => {
  const { provider, say, live } = await working(
    [[{ call: 'change', id: 'c1' }], [{ text: 'I see.' }]],
    [change],
    {
      onEvent: (event) => {
        if (event.type !== 'tool_call_confirmation') return;
        const { callId, digest } = event.value;
        const payload = { feedback: 'not on a Friday' };
        void live.session.send({ type: 'answer', callId, digest, outcome: 'cancel', payload, by: 'me' });
      },
    },
  );
  const worked = await say('change it');
  expect(worked.ending).toEqual({ type: 'answered' });
  expect(JSON.stringify(provider.requests[1]?.contents)).toContain('not on a Friday');
  await live.session.dispose();
});

test('"no, and stop" ends the work on the prompt; the model learns of it with the next [G2, A2]', async () => {
  const { provider, say, live } = await working([[{ call: 'change' }], [{ text: 'Next.' }]], [change], {
    onEvent: (event) => {
      if (event.type !== 'tool_call_confirmation') return;
      const { callId, digest } = event.value;
      void live.session.send({
        type: 'answer',
        callId,
        digest,
        outcome: 'cancel',
        payload: { stop: true },
        by: 'me',
      });
    },
  });
  expect((await say('change it')).ending).toEqual({ type: 'cancelled' });
  expect(provider.requests).toHaveLength(1);
  expect((await say('rather not')).ending).toEqual({ type: 'answered' });
  expect(rolesOf(provider.requests[1] as ModelRequest)).toEqual(['user', 'model', 'user']);
  await live.session.dispose();
});

test('what is typed while tools run reaches the model with their results [G2]', async () => {
  const gate = deferred();
  const slow = testTool({
    name: 'slow',
    run: async () => {
      await gate.promise;
      return { llmContent: 'slow', returnDisplay: '' };
    },
  });
  const { provider, say, live } = await working([[{ call: 'slow' }], [{ text: 'Both.' }]], [slow]);
  const worked = say('go');
  await until(() => live.session.snapshot().some(({ status }) => status === 'executing'), 'it runs');
  await live.session.send({ type: 'prompt', parts: [{ text: 'and hurry' }], by: 'me' });
  gate.resolve();
  await worked;
  expect(provider.requests[1]?.contents.at(-1)?.parts).toMatchObject([
    { functionResponse: { name: 'slow' } },
    { text: 'and hurry' },
  ]);
  await live.session.dispose();
});

test('what is typed while the model gives its last words is not left unheard [G2]', async () => {
  const { provider, say, live } = await working([
    async () => {
      await live.session.send({ type: 'prompt', parts: [{ text: 'wait' }], by: 'me' });
      return [{ text: 'Finished.' }];
    },
    [{ text: 'I waited.' }],
  ]);
  await say('go');
  expect(provider.requests).toHaveLength(2);
  expect(rolesOf(provider.requests[1] as ModelRequest)).toEqual(['user', 'model']);
  await live.session.dispose();
});

test('a model that repeats a call five times with the same result is stopped, unless it may continue [G2]', async () => {
  const round = () => [{ call: 'look' }];
  const { provider, say, live } = await working(round, [look]);
  expect((await say('go')).ending).toMatchObject({ type: 'failed', failure: { code: 'loop_detected' } });
  expect(provider.requests).toHaveLength(5);
  await live.session.dispose();
});

test('a cycle of calls is noticed, a call whose result changes is not one [G2]', async () => {
  let count = 0;
  const other = testTool({ name: 'other', run: () => ({ llmContent: 'same', returnDisplay: '' }) });
  const clock = testTool({ name: 'clock', run: () => ({ llmContent: String(count++), returnDisplay: '' }) });
  const cycle = await working(
    ({ contents }) => [{ call: contents.length % 4 === 1 ? 'look' : 'other' }],
    [look, other],
  );
  expect((await cycle.say('go')).ending).toMatchObject({ failure: { code: 'loop_detected' } });
  expect(cycle.provider.requests).toHaveLength(6);
  await cycle.live.session.dispose();

  const clocked = await working(() => [{ call: 'clock' }], [clock], { limits: { turnsMax: 9 } });
  expect((await clocked.say('go')).ending).toMatchObject({ failure: { code: 'turn_limit', turnsMax: 9 } });
  await clocked.live.session.dispose();
});

test('a budget of tokens ends the work, and the next session of it too [G2]', async () => {
  const usage = { inputTokens: 60, outputTokens: 10, cachedTokens: 0, thoughtTokens: 0 };
  const journal = memoryJournal({ keep: 'all' });
  const first = await working(() => [{ call: 'look' }, { usage }], [look], {
    journal,
    limits: { tokensMax: 100 },
  });
  expect((await first.say('go')).ending).toMatchObject({ failure: { code: 'budget_spent', what: 'tokens' } });
  expect(first.provider.requests).toHaveLength(2);
  expect(first.agent.spent).toMatchObject({ inputTokens: 120, requests: 2, cost: null });
  await first.live.session.dispose();
  const second = await working([], [look], { journal, limits: { tokensMax: 100 } });
  expect((await second.say('more')).ending).toMatchObject({ failure: { code: 'budget_spent' } });
  await second.live.session.dispose();
});

test('an error of the provider is reported plainly, and the next prompt works [G3]', async () => {
  const { say, live, provider } = await working(
    [
      [
        { text: 'Hm' },
        { call: 'look' },
        { fail: { code: 'model_cut_off', provider: 'x', problem: 'it hung up' } },
      ],
      [{ text: 'Better.' }],
    ],
    [look],
  );
  const worked = await say('go');
  expect(worked.ending).toMatchObject({ type: 'failed', failure: { code: 'model_cut_off' } });
  expect(live.session.openTurns).toEqual([]);
  expect((await say('again')).ending).toEqual({ type: 'answered' });
  expect(rolesOf(provider.requests[1] as ModelRequest)).toEqual(['user']);
  await live.session.dispose();
});

test('an empty response is requested again, and at last reported [G3]', async () => {
  const { say, live, provider } = await working([[], [{ text: ' ' }], [{ text: 'Yes.' }], [], [], []]);
  expect((await say('go')).ending).toEqual({ type: 'answered' });
  expect((await say('go')).ending).toMatchObject({ type: 'failed', failure: { code: 'empty_answer' } });
  expect(provider.requests).toHaveLength(6);
  await live.session.dispose();
});

test('a call that no one can read fails where it stands, and the model is informed [G1, L3]', async () => {
  const { say, live, provider } = await working(
    [
      [
        { badCall: 'look', problem: 'Unexpected end of JSON input', id: 'c1' },
        { call: 'look', id: 'c2' },
      ],
      [{ text: 'ok' }],
    ],
    [look],
  );
  await say('go');
  expect(provider.requests[1]?.contents.at(-1)?.parts).toMatchObject([
    {
      functionResponse: {
        id: 'c1',
        response: { error: expect.stringContaining('Unexpected end of JSON input') },
      },
    },
    { functionResponse: { id: 'c2', response: { output: 'seen' } } },
  ]);
  await live.session.dispose();
});

test('cancelling while the response arrives keeps its text and runs none of its calls [L5, G2]', async () => {
  const controller = new AbortController();
  const { say, live, provider } = await working(
    [[{ text: 'I was about' }, { delayMs: 10_000 }, { text: 'never' }], [{ text: 'Yes?' }]],
    [],
    { onEvent: ({ type }) => type === 'content' && controller.abort() },
  );
  const worked = await say('go', controller.signal);
  expect(worked.ending).toEqual({ type: 'cancelled' });
  expect(typesOf(worked)).toEqual(['content', 'user_cancelled']);
  await say('go on');
  expect(provider.requests[1]?.contents.map(({ parts }) => parts)).toEqual([
    [{ text: 'go' }],
    [{ text: 'I was about' }],
    [{ text: 'go on' }],
  ]);
  await live.session.dispose();
});

test('cancelling while a tool runs ends the tool and the work [L5, G2]', async () => {
  const controller = new AbortController();
  const forever = testTool({
    name: 'forever',
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const { say, live } = await working([[{ call: 'forever' }]], [forever]);
  const worked = say('go', controller.signal);
  await until(() => live.session.snapshot().some(({ status }) => status === 'executing'), 'it runs');
  controller.abort();
  expect((await worked).ending).toEqual({ type: 'cancelled' });
  await live.session.dispose();
});

test('another agent continues where one has ended, with the very same history [J3]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await working([[{ call: 'look', id: 'a' }], [{ text: 'One.' }]], [look], { journal });
  await first.say('one');
  await first.live.session.dispose();
  const second = await working([[{ text: 'Two.' }]], [look], { journal });
  await second.say('two');
  const [request] = second.provider.requests;
  expect(request && rolesOf(request)).toEqual(['user', 'model', 'user', 'model', 'user']);
  expect(request?.contents.slice(0, 3)).toEqual(first.provider.requests[1]?.contents);
  await second.live.session.dispose();
});

test('tools that policy denies outright are not declared [P2]', async () => {
  const { say, live, provider } = await working([[{ text: 'ok' }]], [look, change], {
    policy: {
      ...(await import('@countersign/testkit')).plainPolicy(),
      deniesOutright: (tool) => tool === 'change',
    },
  });
  await say('go');
  expect(provider.requests[0]?.declarations.map(({ name }) => name)).toEqual(['look']);
  await live.session.dispose();
});

test('a question that waits when the session is left is answered in the next, and the agent continues [A6, J3]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await working([[{ call: 'change', id: 'c1' }]], [change], { journal });
  void first.say('change it');
  await until(
    () => first.live.session.snapshot().some(({ status }) => status === 'awaiting_approval'),
    'it asks',
  );
  await first.live.session.dispose();

  const second = await working([[{ text: 'Changed.' }]], [change], { journal });
  const { session } = second.live;
  const { digest } = questionOf(session, 'c1');
  const [turn = 0] = session.openTurns;
  const over = session.turnEnded(turn);
  await session.send({ type: 'answer', callId: 'c1', digest, outcome: 'proceed_once', by: 'me' });
  await over;
  const work = second.agent.goOn({ signal: new AbortController().signal, by: 'me', promptId: 'p' });
  for (let next = await work.next(); !next.done; next = await work.next());
  expect(second.provider.requests[0]?.contents.at(-1)?.parts).toMatchObject([
    { functionResponse: { id: 'c1', response: { output: 'done' } } },
  ]);
  await session.dispose();
});
