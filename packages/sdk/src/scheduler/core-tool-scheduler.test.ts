import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from '@countersign/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Config } from '../config/config.js';
import { MessageBus } from '../config/message-bus.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { recordingHandlers, statusHistory } from '../testing.js';
import { registerBuiltInTools } from '../tools/built-in.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { CompletedToolCall, ToolCall } from '../types/call-types.js';
import { ApprovalMode, Kind, ToolConfirmationOutcome } from '../types/enums.js';
import type { PlainTool } from '../types/tool-types.js';
import { CoreToolScheduler, Scheduler } from './core-tool-scheduler.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'countersign-sdk-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const echo: PlainTool<{ text: string }> = {
  name: 'echo',
  description: 'Says it again.',
  kind: Kind.Read,
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }) => Promise.resolve({ llmContent: text, returnDisplay: text }),
};
const asking = (ran: string[] = []): PlainTool<{ text: string }> => ({
  ...echo,
  name: 'asking',
  kind: Kind.Other,
  shouldConfirmExecute: () => Promise.resolve({ type: 'info', title: 'Really?', prompt: 'Do it?' }),
  execute: ({ text }) => {
    ran.push(text);
    return Promise.resolve({ llmContent: text, returnDisplay: text });
  },
});

function world(tools: readonly PlainTool<never>[], mode: ApprovalMode = ApprovalMode.MANUAL) {
  const config = new Config({ approvalMode: mode, targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  for (const tool of tools) registry.registerTool(tool);
  return { config, registry };
}

test('a batch: every status is shown, results come in order, then an empty update, then the promise [E1]', async () => {
  const { config, registry } = world([echo]);
  writeFileSync(join(workspace, 'a.txt'), 'hello\n');
  const recording = recordingHandlers();
  const scheduler = new CoreToolScheduler({
    toolRegistry: Promise.resolve(registry),
    config,
    ...recording.handlers,
  });
  const over = new Promise<void>((resolve) => {
    const poll = setInterval(() => {
      if (recording.completions.length === 0) return;
      clearInterval(poll);
      resolve();
    }, 1);
  });
  await scheduler.schedule([
    { callId: 'a', name: 'read_file', args: { file_path: 'a.txt' } },
    { callId: 'b', name: 'echo', args: { text: 'hi' } },
    { callId: 'c', name: 'nope', args: {} },
  ]);
  await over;
  const [completed] = recording.completions;
  expect(completed?.map(({ request, status }) => `${request.callId} ${status}`)).toEqual([
    'a success',
    'b success',
    'c error',
  ]);
  expect(completed?.[1]?.response.responseParts).toEqual([
    { functionResponse: { id: 'b', name: 'echo', response: { output: 'hi' } } },
  ]);
  expect(completed?.[2]).toMatchObject({ durationMs: 0, response: { errorType: 'tool_not_registered' } });
  expect(statusHistory(recording.updates)['a']).toEqual(['validating', 'scheduled', 'executing', 'success']);
  expect(recording.updates.at(-1)).toEqual([]);
  expect(Object.isFrozen(recording.updates[0])).toBe(true);
  expect(JSON.parse(JSON.stringify(completed?.[0]))).toMatchObject({ tool: 'read_file', status: 'success' });
  await scheduler.dispose();
});

test('while busy CoreToolScheduler refuses a second batch with the documented words; Scheduler queues it [E1]', async () => {
  const { config, registry } = world([asking()]);
  const request = { callId: 'a', name: 'asking', args: { text: 'x' } };
  const core = new CoreToolScheduler({ toolRegistry: registry, config });
  await core.schedule(request);
  await expect(core.schedule(request)).rejects.toThrow(
    'Cannot schedule new tool calls while other tool calls are actively running (executing or awaiting approval).',
  );
  await core.dispose();

  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    confirmHandler: () => Promise.resolve(ToolConfirmationOutcome.ProceedOnce),
  });
  const both = await Promise.all([
    scheduler.schedule(request),
    scheduler.schedule({ ...request, callId: 'b' }),
  ]);
  expect(both.map(([call]) => call?.status)).toEqual(['success', 'success']);
  await scheduler.dispose();
});

test('a question is answered by onConfirm, by id, by handler and by message, once [E1, E2]', async () => {
  const ran: string[] = [];
  const bus = new MessageBus();
  const config = new Config({ targetDir: workspace, messageBus: bus });
  const registry = new ToolRegistry(config);
  registry.registerTool(asking(ran));
  const seen: ToolCall[][] = [];
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    onToolCallsUpdate: (calls) => {
      seen.push(calls);
      for (const call of calls) {
        if (call.status !== 'awaiting_approval' || call.confirmationDetails.isModifying) continue;
        if (call.request.callId === 'a')
          void call.confirmationDetails.onConfirm(ToolConfirmationOutcome.ProceedOnce);
        if (call.request.callId === 'b')
          void scheduler.handleConfirmationResponse('b', ToolConfirmationOutcome.ProceedOnce);
        if (call.request.callId === 'c') {
          void scheduler.handleConfirmationResponse(
            'c',
            call.confirmationDetails.onConfirm,
            ToolConfirmationOutcome.Cancel,
            undefined,
            { feedback: 'no' },
          );
        }
      }
    },
  });
  bus.subscribe('tool-confirmation-request', ({ correlationId, digest, toolCall }) => {
    if (toolCall.id !== 'd') return;
    bus.publish({ type: 'tool-confirmation-response', correlationId, digest: 'another', outcome: 'cancel' });
    bus.publish({ type: 'tool-confirmation-response', correlationId, digest, outcome: 'proceed_once' });
  });
  const calls = await scheduler.schedule(
    ['a', 'b', 'c', 'd'].map((callId) => ({ callId, name: 'asking', args: { text: callId } })),
  );
  expect(calls.map(({ status }) => status)).toEqual(['success', 'success', 'cancelled', 'success']);
  expect(calls[2]?.response.responseParts).toEqual([
    {
      functionResponse: { id: 'c', name: 'asking', response: { error: 'User did not allow tool call: no' } },
    },
  ]);
  expect(ran.toSorted()).toEqual(['a', 'b', 'd']);
  expect(
    await scheduler.handleConfirmationResponse('nobody', ToolConfirmationOutcome.ProceedOnce),
  ).toMatchObject({ ok: false, type: 'unknown_call' });
  await scheduler.dispose();
});

test('an inline change of the content is what is written [A4]', async () => {
  const { config, registry } = world([]);
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    onToolCallsUpdate: (calls) => {
      for (const call of calls) {
        if (call.status === 'awaiting_approval')
          void call.confirmationDetails.onConfirm('proceed_once', { newContent: 'as I want it\n' });
      }
    },
  });
  const [call] = await scheduler.schedule({
    callId: 'w',
    name: 'write_file',
    args: { file_path: 'x.txt', content: 'as proposed\n' },
  });
  expect(call).toMatchObject({ status: 'success', outcome: 'proceed_once' });
  expect(readFileSync(join(workspace, 'x.txt'), 'utf8')).toBe('as I want it\n');
  await scheduler.dispose();
});

test('a rule added to the PolicyEngine of the Config counts at once [E2]', async () => {
  const policyEngine = new PolicyEngine({ rules: [] });
  const config = new Config({ targetDir: workspace, policyEngine });
  const registry = new ToolRegistry(config);
  const ran: string[] = [];
  registry.registerTool(asking(ran));
  const scheduler = new Scheduler({ toolRegistry: registry, config });
  const request = { callId: 'a', name: 'asking', args: { text: 'x' } };
  await policyEngine.addRule({
    toolName: 'asking',
    decision: 'deny',
    priority: 100,
    denyMessage: 'not today',
  });
  const [denied] = await scheduler.schedule(request);
  expect(denied).toMatchObject({ status: 'error', response: { errorType: 'policy_violation' } });
  await policyEngine.addRule({ toolName: 'asking', decision: 'allow', priority: 200 });
  const [allowed] = await scheduler.schedule(request);
  expect(allowed?.status).toBe('success');
  expect(ran).toEqual(['x']);
  await scheduler.dispose();
});

test('live output reaches the handler as the whole display and shows in snapshots; after the end it is ignored [E1]', async () => {
  let late: ((text: string) => void) | undefined;
  const chatty: PlainTool = {
    name: 'chatty',
    description: 'Talks.',
    kind: Kind.Read,
    canUpdateOutput: true,
    execute: async (_params, _signal, updateOutput) => {
      late = updateOutput;
      updateOutput?.('one');
      await new Promise((resolve) => setTimeout(resolve, 10));
      updateOutput?.('one\ntwo');
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { llmContent: 'done', returnDisplay: 'done' };
    },
  };
  const { config, registry } = world([chatty]);
  const recording = recordingHandlers();
  const scheduler = new Scheduler({ toolRegistry: registry, config, ...recording.handlers });
  await scheduler.schedule({ callId: 'c', name: 'chatty', args: {} });
  late?.('too late');
  expect(recording.outputs.map(({ text }) => text)).toEqual(['one', 'one\ntwo']);
  const shown = recording.updates.flatMap((calls) =>
    calls.flatMap((call) => (call.status === 'executing' && call.liveOutput ? [call.liveOutput] : [])),
  );
  expect(new Set(shown)).toEqual(new Set(['one', 'one\ntwo']));
  await scheduler.dispose();
});

test('handlers that throw are reported and harm nothing; schedule may be called from a handler [E1]', async () => {
  const troubles: Error[] = [];
  const { config, registry } = world([echo]);
  let second: Promise<CompletedToolCall[]> | undefined;
  const scheduler: CoreToolScheduler = new CoreToolScheduler({
    toolRegistry: registry,
    config,
    resolveWhen: 'completed',
    onTrouble: (trouble) => troubles.push(trouble),
    onToolCallsUpdate: () => {
      throw new Error('careless');
    },
    onAllToolCallsComplete: () => {
      second ??= scheduler.schedule({ callId: 'b', name: 'echo', args: { text: '2' } });
      throw new Error('careless too');
    },
  });
  const [first] = await scheduler.schedule({ callId: 'a', name: 'echo', args: { text: '1' } });
  expect(first?.status).toBe('success');
  expect((await second)?.[0]?.status).toBe('success');
  expect(new Set(troubles.map(({ message }) => message))).toEqual(
    new Set(['onToolCallsUpdate threw: careless', 'onAllToolCallsComplete threw: careless too']),
  );
  await scheduler.dispose();
});

test('disposal ends running calls, and reports them as cancelled [S6]', async () => {
  let aborted = false;
  const slow: PlainTool = {
    name: 'slow',
    description: 'Takes its time.',
    kind: Kind.Read,
    execute: (_params, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('stopped'));
        });
      }),
  };
  const { config, registry } = world([slow]);
  const scheduler = new Scheduler({ toolRegistry: registry, config });
  const running = scheduler.schedule({ callId: 's', name: 'slow', args: {} });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await scheduler.dispose();
  expect(aborted).toBe(true);
  expect((await running)[0]?.status).toBe('cancelled');
  await expect(scheduler.schedule({ callId: 't', name: 'slow', args: {} })).rejects.toThrow('closed');
});

test('with a stored journal the same questions are pending after a restart, and resume continues [E1, A6]', async () => {
  const ran: string[] = [];
  const store = memoryStore({ keep: 'all' });
  const { config, registry } = world([asking(ran)]);
  const first = new CoreToolScheduler({
    toolRegistry: registry,
    config,
    journal: store.open(),
    sessionId: 's',
  });
  await first.schedule({ callId: 'a', name: 'asking', args: { text: 'x' } });
  await first.dispose();

  const second = new CoreToolScheduler({
    toolRegistry: registry,
    config,
    journal: store.open(),
    sessionId: 's',
  });
  const [waiting] = await second.pending();
  expect(waiting?.request.callId).toBe('a');
  const resumed = second.resume();
  expect(await waiting?.confirmationDetails.onConfirm('proceed_once')).toEqual({ ok: true });
  expect((await resumed).map(({ status }) => status)).toEqual(['success']);
  expect(ran).toEqual(['x']);
  await second.dispose();
});

test('a thousand calls make a handful of snapshots, not thousands [E1]', async () => {
  const { config, registry } = world([echo]);
  let snapshots = 0;
  const scheduler = new Scheduler({ toolRegistry: registry, config, onToolCallsUpdate: () => snapshots++ });
  const calls = await scheduler.schedule(
    Array.from({ length: 1_000 }, (_, n) => ({ callId: `c${n}`, name: 'echo', args: { text: 't' } })),
  );
  expect(calls.every(({ status }) => status === 'success')).toBe(true);
  expect(snapshots).toBeLessThan(200);
  await scheduler.dispose();
});

test('hooks of the config deny calls, rewrite them and receive their results [H4, E1]', async () => {
  const after: string[] = [];
  const config = new Config({
    targetDir: workspace,
    hooks: {
      before: ({ request }) =>
        Promise.resolve({
          advice:
            request.args['text'] === 'secret'
              ? { decision: 'deny', by: 'guard', reason: 'not that word' }
              : null,
          args: request.args['text'] === 'rewrite' ? { text: 'rewritten' } : null,
          notes: [],
        }),
      listensAfter: () => true,
      after: ({ request }) => {
        after.push(String(request.args['text']));
        return Promise.resolve({ outcome: null, tailCall: null, notes: [] });
      },
      leave: () => Promise.resolve(),
    },
  });
  const registry = new ToolRegistry(config);
  registry.registerTool(echo);
  const scheduler = new Scheduler({ toolRegistry: registry, config });
  const calls = await scheduler.schedule(
    ['plain', 'secret', 'rewrite'].map((text) => ({ callId: text, name: 'echo', args: { text } })),
  );
  expect(calls.map(({ status, response }) => [status, response.errorType ?? response.resultDisplay])).toEqual(
    [
      ['success', 'plain'],
      ['error', 'hook_denied'],
      ['success', 'rewritten'],
    ],
  );
  expect(after.toSorted()).toEqual(['plain', 'rewritten']);
  await scheduler.dispose();
});

test('hooks of the config may be commands, in the format of the settings [H1, E1]', async () => {
  const guarded = (command: string) =>
    new Config({
      targetDir: workspace,
      hooks: { BeforeTool: [{ matcher: 'echo', hooks: [{ type: 'command', command }] }] },
    });
  const run = async (config: Config) => {
    const registry = new ToolRegistry(config);
    registry.registerTool(echo);
    const scheduler = new Scheduler({ toolRegistry: registry, config });
    try {
      return await scheduler.schedule([{ callId: 'a', name: 'echo', args: { text: 'x' } }]);
    } finally {
      await scheduler.dispose();
    }
  };
  const [denied] = await run(guarded('echo "not here" >&2; exit 2'));
  expect(denied).toMatchObject({ status: 'error', response: { errorType: 'hook_denied' } });
  expect(denied?.response.error?.message).toContain('not here');
  expect((await run(guarded('true')))[0]?.status).toBe('success');
  const broken = new Config({
    targetDir: workspace,
    hooks: { BeforeTool: [{ matcher: '(', hooks: [{ type: 'command', command: 'true' }] }] },
  });
  await expect(run(broken)).rejects.toThrow('hooks.BeforeTool[0].matcher');
});
