import { scriptedProvider } from '@countersign/models';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

const usage = (inputTokens: number, cachedTokens: number, outputTokens: number) => ({
  usage: { inputTokens, cachedTokens, outputTokens, thoughtTokens: 0 },
});

/** A server whose model answers with these, in this order, under the name of that model. */
async function answering(model: string, ...scripts: Parameters<typeof scriptedProvider>[0][]) {
  const provider = scriptedProvider(scripts.flat());
  const stream: typeof provider.stream = (request, signal) => provider.stream({ ...request, model }, signal);
  serving = await Serving.start({ provider: { ...provider, stream } });
  const client = serving.client();
  const say = async (sessionId: string, text: string) => {
    const before = must(await client.statistics({ sessionId })).spending.requests;
    must(await client.sendMessage({ sessionId, body: { text } }));
    await until(async () => must(await client.statistics({ sessionId })).spending.requests > before);
  };
  const create = async () => must(await client.createSession({ body: {} })).sessionId;
  return { client, say, create };
}

test('statistics count tokens and cost of all sessions and of each [W1]', async () => {
  const { client, say, create } = await answering('gemini-2.5-flash', [
    [{ text: 'One.' }, usage(1_000_000, 200_000, 100)],
    [{ text: 'Two.' }, usage(10, 0, 5)],
    [{ text: 'Three.' }, usage(7, 0, 3)],
  ]);
  const [one, two] = [await create(), await create()];
  await say(one, 'first');
  await say(one, 'second');
  await say(two, 'third');
  const { spending, bySession } = must(await client.statistics({ since: 0 }));
  expect(spending).toMatchObject({
    requests: 3,
    inputTokens: 1_000_017,
    cachedTokens: 200_000,
    outputTokens: 108,
  });
  // 800,000 at $0.30 and 200,000 at $0.03 for a million, and a little.
  expect(spending.dollars).toBeCloseTo(0.246, 2);
  expect(bySession).toHaveLength(2);
  expect(bySession.find(({ sessionId }) => sessionId === two)).toMatchObject({
    calls: 0,
    spending: { requests: 1, inputTokens: 7, cachedTokens: 0, outputTokens: 3 },
  });
  expect(must(await client.statistics({ since: Date.now() + 60_000 })).spending).toMatchObject({
    requests: 0,
    dollars: 0,
  });
});

test('the cost of a model without a known price is null, and never 0 [W1]', async () => {
  const { client, say, create } = await answering('a-model-of-ours', [[{ text: 'One.' }, usage(10, 0, 5)]]);
  const sessionId = await create();
  await say(sessionId, 'first');
  const { spending, bySession } = must(await client.statistics({ sessionId }));
  expect(spending).toEqual({
    requests: 1,
    inputTokens: 10,
    outputTokens: 5,
    cachedTokens: 0,
    dollars: null,
  });
  expect(bySession).toMatchObject([{ sessionId, spending: { dollars: null } }]);
});

test('statistics count calls by session and by the rule that decided [W1] [P7]', async () => {
  serving = await Serving.start();
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const read = (file_path: string) => ({ name: 'read_file', args: { file_path } });
  must(await client.issueCalls({ sessionId, body: { calls: [read('a.txt'), read('b.txt')] } }));
  await until(async () => must(await client.statistics({ sessionId })).calls === 2);
  const { byRule, bySession } = must(await client.statistics({ sessionId }));
  expect(bySession).toMatchObject([{ sessionId, calls: 2, error: 2, success: 0, cancelled: 0 }]);
  expect(byRule).toEqual([
    {
      rule: expect.stringMatching(/\.toml:\d+$/),
      decision: 'allow',
      calls: 2,
      success: 0,
      error: 2,
      cancelled: 0,
    },
  ]);
});
