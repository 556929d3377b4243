import type { Failure } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from './provider.js';
import { type RetryLimits, retrying } from './retrying.js';

const REQUEST: ModelRequest = { model: 'm', system: '', contents: [], declarations: [] };
const QUICK: Partial<RetryLimits> = { firstDelayMs: 4, delayMaxMs: 10, retryAfterMaxMs: 50 };
const never = new AbortController().signal;

const BUSY: Failure = {
  code: 'model_overloaded',
  provider: 'P',
  status: 503,
  message: 'busy',
  retryAfterMs: null,
};
const CUT: Failure = { code: 'model_cut_off', provider: 'P', problem: 'cut' };
const WRONG: Failure = { code: 'model_rejected', provider: 'P', status: 400, message: 'no' };
const text = (words: string): ModelEvent => ({ type: 'text', text: words });
const thought = (words: string): ModelEvent => ({ type: 'thought', text: words });

/** Each request plays the next list: events are yielded, failures thrown. The last list is played forever after. */
function provider(...plays: readonly (readonly (ModelEvent | Failure)[])[]): Provider & { asked: number } {
  return {
    name: 'played',
    asked: 0,
    async *stream() {
      this.asked += 1;
      for (const step of plays[Math.min(this.asked, plays.length) - 1] ?? []) {
        if ('code' in step) throw new ModelError(step);
        yield step;
      }
    },
  };
}

async function listen(source: Provider, limits: Partial<RetryLimits> = QUICK, signal = never) {
  const events: ModelEvent[] = [];
  let thrown: unknown = null;
  try {
    for await (const event of retrying(source, limits).stream(REQUEST, signal)) events.push(event);
  } catch (error) {
    thrown = error;
  }
  return { events, failure: thrown instanceof ModelError ? thrown.failure : thrown };
}

test('a transient failure is retried, and reported [G3]', async () => {
  const source = provider([BUSY], [CUT], [text('Hi')]);
  const { events, failure } = await listen(source);
  expect(failure).toBeNull();
  expect(events).toMatchObject([
    { type: 'retry', attempt: 1, because: BUSY },
    { type: 'retry', attempt: 2, because: CUT },
    text('Hi'),
  ]);
});

test('delays double up to a limit, with some spread [G3]', async () => {
  const { events } = await listen(provider([BUSY]), { ...QUICK, triesMax: 5 });
  const delays = events.map((event) => (event.type === 'retry' ? event.delayMs : 0));
  expect(delays.length).toBe(4);
  for (const [index, base] of [4, 8, 10, 10].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(base * 0.75);
    expect(delays[index]).toBeLessThanOrEqual(base * 1.25 + 1);
  }
});

test('after the last try the failure is reported as it is [G3]', async () => {
  const source = provider([BUSY]);
  expect((await listen(source, { ...QUICK, triesMax: 3 })).failure).toEqual(BUSY);
  expect(source.asked).toBe(3);
});

test('what a retry does not fix is reported at once [G3]', async () => {
  const source = provider([WRONG], [text('Hi')]);
  expect(await listen(source)).toEqual({ events: [], failure: WRONG });
  expect(source.asked).toBe(1);
});

test.each([
  text('Once'),
  { type: 'call', id: null, name: 'read_file', args: {} },
  { type: 'bad_call', id: null, name: 'read_file', problem: 'cut' },
] satisfies ModelEvent[])('after $type was given away, a cut ends the answer [G3]', async (event) => {
  const source = provider([event, CUT], [text('Twice')]);
  expect(await listen(source)).toEqual({ events: [event], failure: CUT });
});

test('after nothing but thoughts, the model is asked again [G3]', async () => {
  const { events, failure } = await listen(provider([thought('Hm'), CUT], [thought('Hm'), text('Yes')]));
  expect(failure).toBeNull();
  expect(events.map(({ type }) => type)).toEqual(['thought', 'retry', 'thought', 'text']);
});

test('the provider is not asked sooner than it wants [G3]', async () => {
  const { events } = await listen(provider([{ ...BUSY, retryAfterMs: 40 }], [text('Hi')]));
  expect(events[0]).toMatchObject({ type: 'retry' });
  expect(events[0]?.type === 'retry' && events[0].delayMs).toBeGreaterThanOrEqual(40);
});

test('a provider that wants to be left alone for long is not waited for [G3]', async () => {
  const failure: Failure = { ...BUSY, retryAfterMs: 51 };
  expect(await listen(provider([failure]))).toEqual({ events: [], failure });
});

test('no try begins too long after the first [G3]', async () => {
  expect(await listen(provider([BUSY]), { ...QUICK, beginWithinMs: 1 })).toEqual({
    events: [],
    failure: BUSY,
  });
});

test('aborted while it waits, it throws the reason [G2]', async () => {
  const stop = new AbortController();
  const reason = new Error('stop');
  setTimeout(() => stop.abort(reason), 20);
  const { failure } = await listen(
    provider([BUSY]),
    { firstDelayMs: 60_000, delayMaxMs: 60_000 },
    stop.signal,
  );
  expect(failure).toBe(reason);
});

test('where nothing listens, waiting does not help: it fails at once [G3]', async () => {
  const refused: Failure = { code: 'model_unreachable', provider: 'P', problem: 'refused', refused: true };
  const source = provider([refused]);
  await listen(source);
  expect(source.asked).toBe(1);
  const lost = provider([{ code: 'model_unreachable', provider: 'P', problem: 'it did not respond' }]);
  await listen(lost);
  expect(lost.asked).toBe(6);
});
