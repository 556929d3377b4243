import { testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { answerAll, recordingHandlers, runScript, scriptedModel, statusHistory } from './testing.js';
import type { CompletedToolCall, ToolCallRequestInfo, WaitingToolCall } from './types/call-types.js';

const tool = testTool({ name: 'look' });

const completed = (request: ToolCallRequestInfo): CompletedToolCall => ({
  status: 'success',
  request,
  tool,
  durationMs: 1,
  response: {
    callId: request.callId,
    responseParts: [],
    resultDisplay: `${request.name} done`,
    error: undefined,
    errorType: undefined,
  },
});

/** Completes everything at once and remembers what it was asked. */
function instantScheduler() {
  const asked: (readonly ToolCallRequestInfo[])[] = [];
  return {
    asked,
    schedule: async (requests: readonly ToolCallRequestInfo[]) => {
      asked.push(requests);
      return requests.map(completed);
    },
  };
}

test('a script is driven to its end, and every batch’s results go back to the model', async () => {
  const scheduler = instantScheduler();
  const model = scriptedModel([
    { text: 'Let me look.' },
    {
      calls: [
        { name: 'look', args: { at: 'sky' } },
        { name: 'look', callId: 'mine', prompt_id: 'p' },
      ],
    },
    { calls: [{ name: 'listen' }] },
    { text: 'Done.' },
  ]);
  const outcome = await runScript(scheduler, model);
  expect(scheduler.asked).toEqual([
    [
      { callId: 'step-2-call-1', name: 'look', args: { at: 'sky' } },
      { callId: 'mine', name: 'look', args: {}, prompt_id: 'p' },
    ],
    [{ callId: 'step-3-call-1', name: 'listen', args: {} }],
  ]);
  expect(outcome.ended).toBe('script');
  expect(outcome.texts).toEqual(['Let me look.', 'Done.']);
  expect(outcome.results.map((batch) => batch.map(({ response }) => response.callId))).toEqual([
    ['step-2-call-1', 'mine'],
    ['step-3-call-1'],
  ]);
});

test('a script stops where the signal fires', async () => {
  const stop = new AbortController();
  const scheduler = instantScheduler();
  const stopping = {
    schedule: (requests: readonly ToolCallRequestInfo[]) => {
      stop.abort();
      return scheduler.schedule(requests);
    },
  };
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, { calls: [{ name: 'listen' }] }]);
  const outcome = await runScript(stopping, model, { signal: stop.signal });
  expect(outcome.ended).toBe('aborted');
  expect(scheduler.asked).toHaveLength(1);
  expect(outcome.results).toHaveLength(1);
});

test('a scheduler that does not resolve with results is distinguished from one that has none', async () => {
  const accepting = { schedule: async () => [] };
  await expect(runScript(accepting, scriptedModel([{ calls: [{ name: 'look' }] }]))).rejects.toThrow(
    "Use `Scheduler`, or set resolveWhen: 'completed'.",
  );
  await expect(runScript(accepting, scriptedModel([{ calls: [] }]))).resolves.toMatchObject({
    ended: 'script',
  });
});

test('the model insists on one result for each call, in order, before it continues', () => {
  const model = scriptedModel([{ calls: [{ name: 'a' }, { name: 'b' }] }, { text: 'Done.' }]);
  const turn = model.next();
  const requests = turn && 'calls' in turn ? turn.calls : [];
  expect(() => model.next()).toThrow('still waiting for the results of: step-1-call-1, step-1-call-2');
  expect(() => model.give(requests.map(completed).reverse())).toThrow('expected results of');
  expect(() => model.give(requests.slice(0, 1).map(completed))).toThrow('received [step-1-call-1]');
  model.give(requests.map(completed));
  expect(model.next()).toEqual({ text: 'Done.' });
  expect(model.next()).toBeUndefined();
  expect(model.results).toHaveLength(1);
});

test('one answer for every question', async () => {
  const waiting: WaitingToolCall = {
    status: 'awaiting_approval',
    request: { callId: 'c', name: 'look', args: {} },
    tool,
    confirmationDetails: {
      type: 'info',
      title: 'Look?',
      prompt: 'look',
      urls: [],
      digest: 'd',
      outcomes: [],
      reason: '',
      isModifying: false,
      onConfirm: () => Promise.reject(new Error('not asked for')),
    },
  };
  expect(await answerAll('proceed_once')(waiting)).toBe('proceed_once');
});

test('the calls of handlers are recorded in order, by kind and all together', async () => {
  const request = { callId: 'c', name: 'look', args: {} };
  const { handlers, heard, updates, outputs, completions } = recordingHandlers();
  const executing = { status: 'executing', request, tool } as const;
  const done = completed(request);
  handlers.onToolCallsUpdate([executing]);
  handlers.outputUpdateHandler('c', 'half');
  await handlers.onAllToolCallsComplete([done]);
  handlers.onToolCallsUpdate([]);
  expect(heard.map(({ type }) => type)).toEqual(['update', 'output', 'completed', 'update']);
  expect(updates).toEqual([[executing], []]);
  expect(outputs).toEqual([{ callId: 'c', text: 'half' }]);
  expect(completions).toEqual([[done]]);
});

test('a status that several updates show is reported once, one that comes again is reported again', () => {
  const at = (callId: string, status: 'validating' | 'scheduled' | 'executing') =>
    ({ status, tool, request: { callId, name: 'look', args: {} } }) as const;
  const history = statusHistory([
    [at('a', 'validating'), at('b', 'validating')],
    [at('a', 'scheduled'), at('b', 'validating')],
    [at('a', 'executing'), at('b', 'scheduled')],
    [at('a', 'scheduled')],
    [],
  ]);
  expect(history).toEqual({
    a: ['validating', 'scheduled', 'executing', 'scheduled'],
    b: ['validating', 'scheduled'],
  });
});
