import { memoryJournal } from '@countersign/engine';
import { type Provider, type Script, scriptedProvider } from '@countersign/models';
import { questionOf, testTool, until } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { typesOf, working } from './working.js';

const look = testTool({ name: 'look', run: () => ({ llmContent: 'seen', returnDisplay: 'seen' }) });
const change = testTool({ name: 'change', kind: 'edit' });

test('an answer that is cut short is kept, and said to be; with nothing in it, asking again is no use [G1]', async () => {
  const { say, live, provider } = await working([
    [{ text: 'Half' }, { finish: 'length' }],
    [{ thought: 'endless' }, { finish: 'length' }],
  ]);
  const cut = await say('go');
  expect(cut.ending).toEqual({ type: 'answered' });
  expect(cut.events.at(-1)).toMatchObject({ type: 'notice', value: expect.stringContaining('incomplete') });
  expect((await say('go')).ending).toMatchObject({ failure: { code: 'empty_answer', said: 'length' } });
  expect(provider.requests).toHaveLength(2);
  await live.session.dispose();
});

test('a response that the provider blocks is reported as blocked: its text is kept, its calls do not run [G1]', async () => {
  const { say, live, provider } = await working(
    [
      [{ text: 'I was' }, { finish: 'safety', message: 'no' }],
      [{ call: 'change' }, { finish: 'safety' }],
      [{ text: 'Yes?' }],
    ],
    [change],
  );
  expect((await say('one')).ending).toMatchObject({ failure: { code: 'answer_blocked', message: 'no' } });
  const worked = await say('two');
  expect(worked.ending).toMatchObject({ failure: { code: 'answer_blocked' } });
  expect(typesOf(worked)).toEqual(['tool_call_request', 'finished', 'tool_call_response', 'error']);
  expect(live.session.openTurns).toEqual([]);
  await say('three');
  expect(provider.requests[2]?.contents.map(({ parts }) => parts)).toEqual([
    [{ text: 'one' }],
    [{ text: 'I was' }],
    [{ text: 'two' }, { text: 'three' }],
  ]);
  await live.session.dispose();
});

test('the same call for five prompts is what the person wants, no circle [G2]', async () => {
  const answers = Array.from({ length: 6 }, () => [[{ call: 'look' }], [{ text: 'seen' }]]).flat();
  const { say, live } = await working(answers, [look]);
  for (let round = 0; round < 6; round++) expect((await say('look')).ending).toEqual({ type: 'answered' });
  await live.session.dispose();
});

test('a caller that stops iterating stops the work: nothing is left running or waiting [G2, S6]', async () => {
  const { agent, live } = await working(
    [
      [{ text: 'one ' }, { delayMs: 60_000 }, { text: 'never' }],
      [{ call: 'forever', id: 'f' }],
      [{ call: 'change', id: 'c' }],
    ],
    [
      testTool({
        name: 'forever',
        run: (_, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
      }),
      change,
    ],
  );
  const options = { signal: new AbortController().signal, by: 'me', promptId: 'p' };
  for await (const event of agent.prompt([{ text: 'go' }], options)) if (event.type === 'content') break;
  for await (const event of agent.prompt([{ text: 'go' }], options)) if (event.type === 'finished') break;
  expect(live.session.openTurns).toEqual([]);
  for await (const event of agent.prompt([{ text: 'go' }], options))
    if (event.type === 'tool_call_confirmation') break;
  expect(live.session.openTurns).toEqual([]);
  await live.session.dispose();
});

test('calls left open by an earlier process are settled before the next message, and the model receives both [A6, J3]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await working([[{ call: 'change', id: 'c1' }]], [change], { journal });
  void first.say('change it');
  await until(
    () => first.live.session.snapshot().some(({ status }) => status === 'awaiting_approval'),
    'it asks',
  );
  await first.live.session.dispose();

  const second = await working([[{ text: 'Both.' }]], [change], { journal });
  const { session } = second.live;
  const worked = second.say('and hurry');
  await session.send({
    type: 'answer',
    callId: 'c1',
    digest: questionOf(session, 'c1').digest,
    outcome: 'proceed_once',
    by: 'me',
  });
  const { ending, events } = await worked;
  expect(ending).toEqual({ type: 'answered' });
  expect(events.map(({ type }) => type).slice(0, 2)).toEqual([
    'tool_call_confirmation',
    'tool_call_response',
  ]);
  expect(second.provider.requests[0]?.contents.at(-1)?.parts).toMatchObject([
    { functionResponse: { id: 'c1', response: { output: 'done' } } },
    { text: 'and hurry' },
  ]);
  await session.dispose();
});

test('cancelling while such a call waits cancels it, and no message is added [L5]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await working([[{ call: 'change', id: 'c1' }]], [change], { journal });
  void first.say('change it');
  await until(() => first.live.session.snapshot().length > 0, 'it asks');
  await first.live.session.dispose();
  const second = await working([], [change], { journal });
  const controller = new AbortController();
  const worked = second.say('go', controller.signal);
  controller.abort();
  expect((await worked).ending).toEqual({ type: 'cancelled' });
  expect(second.live.session.openTurns).toEqual([]);
  expect(second.provider.requests).toEqual([]);
  await second.live.session.dispose();
});

test('what a summary took counts, here and in the next life of the session [G2, G3]', async () => {
  const usage = { inputTokens: 1_000, outputTokens: 10, cachedTokens: 0, thoughtTokens: 0 };
  const journal = memoryJournal({ keep: 'all' });
  const first = await working(() => [{ text: 'ok' }, { usage }], [], { journal });
  await first.say('x'.repeat(300_000));
  await first.say('y'.repeat(300_000));
  // Two answers, and a summary between them.
  expect(first.agent.spent).toMatchObject({ requests: 3, inputTokens: 3_000, outputTokens: 30 });
  await first.live.session.dispose();
  const second = await working([], [], { journal });
  expect(second.agent.spent).toEqual(first.agent.spent);
  await second.live.session.dispose();
});

describe('a limit that cannot be counted stops the work', () => {
  const usage = { inputTokens: 60, outputTokens: 10, cachedTokens: 0, thoughtTokens: 0 };
  const priced = 'gemini-2.5-flash';
  const named = (name: string, script: Script): Provider => {
    const scripted = scriptedProvider(script);
    return {
      name: scripted.name,
      async *stream(request, signal) {
        for await (const event of scripted.stream(request, signal))
          yield event.type === 'finished' ? { ...event, model: name } : event;
      },
    };
  };

  test('before the first request, if the model has no known price [G2]', async () => {
    const { say, live, provider } = await working([[{ text: 'ok' }]], [], { limits: { dollarsMax: 1 } });
    expect((await say('go')).ending).toMatchObject({
      failure: { code: 'budget_unknown', what: 'dollars', model: 'scripted', because: 'no price' },
    });
    expect(provider.requests).toHaveLength(0);
    await live.session.dispose();
  });

  test('after an answer, if that names a model without a known price [G2]', async () => {
    const journal = memoryJournal({ keep: 'all' });
    const options = { journal, limits: { dollarsMax: 1 }, model: priced };
    const provider = named('mystery', () => [{ call: 'look' }, { usage }]);
    const first = await working([], [look], { ...options, provider });
    expect((await first.say('go')).ending).toMatchObject({
      failure: { code: 'budget_unknown', model: 'mystery', because: 'no price' },
    });
    expect(first.agent.spent.requests).toBe(1);
    await first.live.session.dispose();
    const second = await working([[{ text: 'ok' }]], [look], options);
    expect((await second.say('more')).ending).toMatchObject({ failure: { code: 'budget_unknown' } });
    await second.live.session.dispose();
  });

  test.each([{ tokensMax: 100 }, { dollarsMax: 1 }])(
    'after an answer that reports no tokens (%j) [G2]',
    async (limits) => {
      const { say, live, provider } = await working(() => [{ call: 'look' }], [look], {
        limits,
        model: priced,
      });
      expect((await say('go')).ending).toMatchObject({
        failure: { code: 'budget_unknown', because: 'no token count' },
      });
      expect(provider.requests).toHaveLength(1);
      await live.session.dispose();
    },
  );

  test.each([
    [{ tokensMax: 100 }, { ...usage, inputTokens: 0, outputTokens: 0 }],
    [{ tokensMax: 100 }, { ...usage, inputTokens: -2_000 }],
    [{ dollarsMax: 1 }, { ...usage, outputTokens: Number.POSITIVE_INFINITY }],
  ])('after an answer whose usage says nothing (%j, %j) [G2]', async (limits, said) => {
    const script = () => [{ call: 'look' }, { usage: said }];
    const { say, live, provider, agent } = await working(script, [look], { limits, model: priced });
    expect((await say('go')).ending).toMatchObject({
      failure: { code: 'budget_unknown', because: 'no token count' },
    });
    expect(provider.requests).toHaveLength(1);
    expect(agent.spent).toMatchObject({ inputTokens: 0, outputTokens: 0, cost: null, unmetered: priced });
    await live.session.dispose();
  });

  test.each([
    ['no price', { dollarsMax: 1 }, 'mystery', usage],
    ['no token count', { dollarsMax: 1 }, priced, null],
    ['no token count', { tokensMax: 1 }, priced, null],
  ])('and the only answer is reported as complete: %s, %j [G2]', async (because, limits, name, said) => {
    const provider = named(name, [[{ text: 'Done.' }, ...(said ? [{ usage: said }] : [])]]);
    const { say, live } = await working([], [], { limits, model: priced, provider });
    expect((await say('go')).ending).toMatchObject({
      failure: { code: 'budget_unknown', because, answered: true },
    });
    await live.session.dispose();
  });

  test('and so is the only answer that exceeds a limit, but not one that reaches it [G2]', async () => {
    const limits = { tokensMax: 70 };
    const { say, live } = await working([[{ text: 'Done.' }, { usage }]], [], { limits });
    expect((await say('go')).ending).toEqual({ type: 'answered' });
    await live.session.dispose();
    const script = () => [{ text: 'Done.' }, { usage: { ...usage, inputTokens: 200_000 } }];
    for (const [what, over] of [
      ['tokens', { tokensMax: 100 }],
      ['dollars', { dollarsMax: 0.01 }],
    ] as const) {
      const second = await working(script, [], { limits: over, model: priced });
      expect((await second.say('go')).ending).toMatchObject({
        failure: { code: 'budget_spent', what, answered: true },
      });
      await second.live.session.dispose();
    }
  });

  test('and one that can be counted does not, with answers in between that the user stopped [G2]', async () => {
    const journal = memoryJournal({ keep: 'all' });
    const options = { journal, limits: { dollarsMax: 1, tokensMax: 10_000 }, model: priced };
    const stop = new AbortController();
    const first = await working([[{ text: 'So far' }, { delayMs: 20_000 }]], [], {
      ...options,
      onEvent: ({ type }) => {
        if (type === 'content') stop.abort();
      },
    });
    expect((await first.say('go', stop.signal)).ending).toEqual({ type: 'cancelled' });
    await first.live.session.dispose();
    const second = await working([[{ text: 'ok' }, { usage }]], [], options);
    expect((await second.say('more')).ending).toEqual({ type: 'answered' });
    await second.live.session.dispose();
  });
});
