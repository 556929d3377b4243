import type { SessionShell } from '@countersign/engine';
import type { JsonObject, SettledCall } from '@countersign/protocol';
import {
  AgentStream,
  SessionStore,
  type StreamEvent,
  type ToolScheduler,
  useAgentStream,
  useGeminiStream,
  useReactToolScheduler,
  useSession,
  useToolScheduler,
} from '@countersign/react';
import { deferred, openTestSession, testTool } from '@countersign/testkit';
import { render } from 'ink-testing-library';
import { createElement, StrictMode, useEffect } from 'react';
import { expect, onTestFinished, test } from 'vitest';

async function opened(run: (args: JsonObject) => unknown = () => undefined) {
  const tools = [testTool({ name: 'read', run }), testTool({ name: 'write', kind: 'edit', run })];
  const { session } = await openTestSession(tools);
  const store = new SessionStore(session);
  const stop = new AbortController();
  void store.follow(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await session.dispose();
  });
  return { session, store };
}

const until = async (isSo: () => boolean): Promise<void> => {
  for (let look = 0; !isSo(); look++) {
    if (look > 10_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

test('the hooks are exported under both names [E3]', () => {
  expect([useReactToolScheduler, useGeminiStream]).toEqual([useToolScheduler, useAgentStream]);
});

test('calls are tracked through their statuses, and each knows whether the model has its result [E3]', async () => {
  const done = deferred();
  const { store } = await opened(() => done.promise.then(() => ({ llmContent: 'x', returnDisplay: 'x' })));
  let latest: ToolScheduler | null = null;
  const View = () => {
    latest = useToolScheduler(store);
    return null;
  };
  const { unmount } = render(createElement(View));
  const [, schedule, mark] = current();
  await schedule([
    { callId: 'a', name: 'read' },
    { callId: 'b', name: 'read' },
  ]);
  await until(() => current()[0].every(({ status }) => status === 'executing') && current()[0].length === 2);
  done.resolve();
  await until(() => current()[0].every(({ status }) => status === 'success'));
  expect(current()[0].map(({ responseSubmittedToGemini }) => responseSubmittedToGemini)).toEqual([
    false,
    false,
  ]);
  mark(['a']);
  await until(() => current()[0].some(({ responseSubmittedToGemini }) => responseSubmittedToGemini));
  expect(
    current()[0].map(({ request, responseSubmittedToGemini }) => [request.callId, responseSubmittedToGemini]),
  ).toEqual([
    ['a', true],
    ['b', false],
  ]);
  // Later changes of others, and another component, find it as it was.
  await schedule({ callId: 'c', name: 'read' });
  await until(() =>
    current()[0].some(({ request, status }) => request.callId === 'c' && status === 'success'),
  );
  unmount();
  render(createElement(View));
  expect(current()[0].find(({ request }) => request.callId === 'b')).toMatchObject({
    responseSubmittedToGemini: false,
  });
  mark(['b', 'c', 'unknown']);
  expect(store.tracked.all.every(({ responseSubmittedToGemini }) => responseSubmittedToGemini)).toBe(true);

  function current(): ToolScheduler {
    if (!latest) throw new Error('nothing is mounted');
    return latest;
  }
});

test('an id that is reused in a later turn is another call, whose result the model does not have [E3]', async () => {
  const { store, session } = await opened();
  await session.schedule([{ callId: 'same', name: 'read' }]);
  await until(() => store.tracked.all.some(({ status }) => status === 'success'));
  store.markSubmitted(['same']);
  await session.schedule([{ callId: 'same', name: 'read' }]);
  await until(() =>
    store.tracked.all.some(({ request, status }) => request.turn === 2 && status === 'success'),
  );
  expect(store.tracked.all.find(({ request }) => request.turn === 2)?.responseSubmittedToGemini).toBe(false);
});

test('results are submitted exactly once, also when the component is mounted again [E3]', async () => {
  const { store, session } = await opened();
  const handed: string[] = [];
  const onComplete = (calls: readonly SettledCall[]) =>
    handed.push(calls.map(({ request }) => request.callId).join('+'));
  const View = () => {
    useToolScheduler(store, { onComplete });
    return null;
  };
  const first = render(createElement(StrictMode, null, createElement(View)));
  await session.schedule([
    { callId: 'a', name: 'read' },
    { callId: 'b', name: 'read' },
  ]);
  await until(() => handed.length > 0);
  first.unmount();
  await session.schedule([{ callId: 'c', name: 'read' }]);
  const second = render(createElement(View));
  await until(() => handed.length > 1);
  second.unmount();
  render(createElement(View));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(handed).toEqual(['a+b', 'c']);
});

test('results that precede an answer of the model count as submitted [E3]', async () => {
  const { store, session } = await opened();
  await session.schedule([{ callId: 'a', name: 'read' }]);
  await until(() => store.tracked.all.some(({ status }) => status === 'success'));
  await said(session, 'So that is it.');
  await until(() => store.tracked.all.every(({ responseSubmittedToGemini }) => responseSubmittedToGemini));
  expect(store.tracked.take()).toEqual([]);
});

test('streamed text is shown until its message is recorded, and the text of a failed answer is kept [E3] [U1]', async () => {
  const { store, session } = await opened();
  const goOn = deferred();
  const stream = new AgentStream(
    store,
    {
      async *prompt(text): AsyncGenerator<StreamEvent> {
        yield { type: 'thought', value: { subject: 'Hm', description: '' } };
        yield { type: 'content', value: 'Hel' };
        yield { type: 'content', value: 'lo' };
        await goOn.promise;
        if (text === 'fail')
          return yield { type: 'error', value: { error: { message: 'It broke.', hint: 'Again.' } } };
        yield { type: 'finished' };
        await said(session, 'Hello');
      },
      goOn: () => nothing(),
    },
    'tester',
  );
  const seen: string[] = [];
  const View = () => {
    const { state, text } = useAgentStream(stream);
    const { settled } = useSession(store);
    const words = settled.map((item) => ('text' in item ? item.text : '')).join();
    useEffect(() => {
      seen.push(`${state}: ${text} (${words})`);
    }, [state, text, words]);
    return null;
  };
  render(createElement(View));
  const working = stream.submit('hi');
  await until(() => stream.view().text === 'Hello');
  expect(stream.view().state).toBe('responding');
  goOn.resolve();
  await working;
  await until(() => seen.at(-1) === 'idle:  (Hello)');
  // Never twice on the screen, and never nowhere.
  expect(seen).not.toContain('responding: Hello (Hello)');
  await stream.submit('fail');
  expect(stream.view().asides.map(({ as, text }) => `${as}: ${text}`)).toEqual([
    'unfinished answer: Hello',
    'error: It broke.\nAgain.',
  ]);
});

test('live output comes at most fifteen times a second, however often it changes [U1] [S5]', async () => {
  const tool = testTool({
    name: 'flood',
    run: async (_, { updateOutput }) => {
      for (let line = 0; line < 500; line++) {
        updateOutput(`line ${line}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return { llmContent: '', returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([tool]);
  onTestFinished(() => session.dispose());
  const store = new SessionStore(session);
  const stop = new AbortController();
  const following = store.follow(stop.signal);
  let frames = 0;
  store.subscribe(() => frames++);
  const began = performance.now();
  await session.schedule([{ callId: 'f', name: 'flood' }]);
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await following;
  expect(frames).toBeGreaterThan(3);
  // Facts are emitted at once: planned, granted, started, ended and the turn around them.
  expect(frames).toBeLessThan(seconds * 15 + 12);
});

async function* nothing(): AsyncGenerator<StreamEvent> {}

/** Something a model says, as a fact. */
async function said(session: SessionShell, text: string): Promise<void> {
  const stream = session.stream({ attended: 'somebody' });
  await stream.end({
    role: 'model',
    parts: [{ text }],
    model: 'scripted',
    usage: null,
    finish: 'STOP',
    turn: null,
    promptId: 'p',
  });
}
