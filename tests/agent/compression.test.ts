import { existsSync, readFileSync } from 'node:fs';
import type { AgentEvent } from '@countersign/agent';
import { memoryJournal } from '@countersign/engine';
import type { ModelRequest, ScriptedStep } from '@countersign/models';
import { testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { working } from './working.js';

// The model is not a known one: its window is taken for 128,000 tokens, about 512,000 characters.
const LONG = 'x'.repeat(70_000);

const reader = testTool({
  name: 'reader',
  run: (args) => ({ llmContent: `${args['n']} ${LONG}`, returnDisplay: '' }),
});

const wantsSummary = ({ declarations, system }: ModelRequest): boolean =>
  declarations.length === 0 && system.includes('summaries');

/** A call has one response behind it, and a response one call before it. */
function expectPaired({ contents }: ModelRequest): void {
  const parts = contents.flatMap((content) => content.parts);
  const calls = parts.filter((part) => 'functionCall' in part).length;
  const responses = parts.filter((part) => 'functionResponse' in part).length;
  expect(responses).toBe(calls);
  const roles = contents.map(({ role }) => role);
  expect(roles.every((role, index) => role !== roles[index - 1])).toBe(true);
}

test('what calls gave long ago becomes a reference that can be read, before anything is summed up [G3]', async () => {
  let turn = 0;
  const { say, provider, live } = await working(
    () => (++turn <= 6 ? [{ call: 'reader', args: { n: turn } }] : [{ text: 'Read.' }]),
    [reader],
  );
  const { events } = await say('read all');
  const compressed = events.filter((event) => event.type === 'chat_compressed');
  expect(compressed.length).toBeGreaterThan(0);
  for (const { value } of compressed) {
    expect(value.how).toBe('outputs masked');
    expect(value.newTokenCount).toBeLessThan(value.originalTokenCount);
  }
  expect(provider.requests.some(wantsSummary)).toBe(false);
  const last = provider.requests.at(-1);
  if (!last) throw new Error('nothing was asked');
  expectPaired(last);
  const text = JSON.stringify(last.contents);
  const [, path = ''] = /They are in ([^,]+),/.exec(text) ?? [];
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(path, 'utf8')).toMatch(/^1 x+$/);
  expect(text).toContain('6 xxx');
  await live.session.dispose();
});

test('when that is not enough, what was said is summed up: a planted fact survives, and the journal keeps all [G3, J1]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const { say, provider, live } = await working(
    (request) =>
      wantsSummary(request)
        ? [{ text: 'The person likes tulips. Much was said.' }]
        : [{ call: 'reader', args: { n: request.contents.length } }, { text: 'ok' }].slice(
            request.contents.at(-1)?.parts.some((part) => 'functionResponse' in part) ? 1 : 0,
          ),
    [testTool({ name: 'reader', run: () => ({ llmContent: 'short', returnDisplay: '' }) })],
    { journal },
  );
  await say('I like tulips.');
  const compressed: unknown[] = [];
  for (let n = 0; n < 6; n++) {
    const { events, ending } = await say(`${n} ${'y'.repeat(80_000)}`);
    expect(ending).toEqual({ type: 'answered' });
    compressed.push(...events.filter(({ type }) => type === 'chat_compressed'));
  }
  expect(compressed).toMatchObject([{ value: { how: 'summarised' } }]);
  const summarising = provider.requests.find(wantsSummary);
  expect(JSON.stringify(summarising?.contents)).toContain('I like tulips.');
  const last = provider.requests.at(-1);
  if (!last) throw new Error('nothing was asked');
  expectPaired(last);
  expect(JSON.stringify(last.contents[0])).toContain('likes tulips');
  expect(JSON.stringify(last).length).toBeLessThan(400_000);
  expect(JSON.stringify(last.contents)).not.toContain('I like tulips.');
  const kept = (await journal.read('test', 0)).filter(({ event }) => event.type === 'message.added');
  expect(JSON.stringify(kept)).toContain('I like tulips.');
  await live.session.dispose();

  const resumed = await working([[{ text: 'Still here.' }]], [], { journal });
  await resumed.say('and now?');
  const again = resumed.provider.requests[0];
  expect(again?.contents.slice(0, last.contents.length - 1)).toEqual(last.contents.slice(0, -1));
  await resumed.live.session.dispose();
});

const reasonsIn = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.value] : []));

test("a summary that fails says why, at the user's request and on its own [G3, U3]", async () => {
  let answer: readonly ScriptedStep[] = [{ text: '' }];
  const { say, agent, live } = await working((request) =>
    wantsSummary(request) ? answer : [{ text: 'ok' }],
  );
  const compact = async () => {
    const events: AgentEvent[] = [];
    for await (const event of agent.compact(new AbortController().signal)) events.push(event);
    return reasonsIn(events);
  };
  expect(await compact()).toEqual([expect.stringContaining('There is nothing to summarise yet')]);
  for (let n = 0; n < 5; n++) await say(`${n} ${'z'.repeat(60_000)}`);
  expect(await compact()).toEqual([expect.stringContaining('the model returned no text')]);
  const fail = {
    code: 'model_overloaded' as const,
    provider: 'x',
    status: 503,
    message: 'busy',
    retryAfterMs: null,
  };
  answer = [{ fail }];
  expect(await compact()).toEqual([expect.stringContaining('busy')]);
  const { events, ending } = await say('z'.repeat(130_000));
  expect(ending).toEqual({ type: 'answered' });
  expect(reasonsIn(events)).toEqual([expect.stringMatching(/could not be summarised: .*busy/)]);
  await live.session.dispose();
});

test('a summary that the provider refuses costs nothing but the room [G3]', async () => {
  const { say, live } = await working((request) =>
    wantsSummary(request)
      ? [
          {
            fail: {
              code: 'model_overloaded',
              provider: 'x',
              status: 503,
              message: 'busy',
              retryAfterMs: null,
            },
          },
        ]
      : [{ text: 'ok' }],
  );
  for (let n = 0; n < 6; n++) expect((await say('z'.repeat(80_000))).ending).toEqual({ type: 'answered' });
  await live.session.dispose();
});
