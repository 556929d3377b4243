import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Config } from './config/config.js';
import { PolicyEngine } from './policy/policy-engine.js';
import { CoreToolScheduler, Scheduler } from './scheduler/core-tool-scheduler.js';
import { recordingHandlers, scriptedModel } from './testing.js';
import { defineTool } from './tools/define-tool.js';
import { temporaryWorkspace } from './tools/testing/session.js';
import { ToolRegistry } from './tools/tool-registry.js';
import { Kind, ToolConfirmationOutcome } from './types/enums.js';
import type { PlainTool } from './types/tool-types.js';

/** What a program gives that passes on options of its own: present, and undefined. */
const NOTHING = {
  outputUpdateHandler: undefined,
  onAllToolCallsComplete: undefined,
  onToolCallsUpdate: undefined,
  getPreferredEditor: undefined,
  whenBusy: undefined,
  start: undefined,
  resolveWhen: undefined,
  journal: undefined,
  sessionId: undefined,
  onTrouble: undefined,
} as const;
const BUSY = 'Cannot schedule new tool calls while other tool calls are actively running';

const asking: PlainTool = {
  name: 'asking',
  description: 'Asks first.',
  kind: Kind.Other,
  shouldConfirmExecute: async () => ({ type: 'info', title: 'Really?', prompt: 'Do it?' }),
  execute: async () => ({ llmContent: 'done', returnDisplay: 'done' }),
};

let place: ReturnType<typeof temporaryWorkspace>;
let config: Config;
let toolRegistry: ToolRegistry;
beforeEach(() => {
  place = temporaryWorkspace();
  config = new Config({ targetDir: place.workspace });
  toolRegistry = new ToolRegistry(config);
  toolRegistry.registerTool(asking);
});
afterEach(() => place.remove());

describe('an option that is given as undefined has its default [E1]', () => {
  const request = { callId: 'a', name: 'asking', args: {} };

  test('CoreToolScheduler refuses a second batch, and resolves once calls are accepted', async () => {
    const scheduler = new CoreToolScheduler({ ...NOTHING, toolRegistry, config, confirmHandler: undefined });
    expect(await scheduler.schedule(request, undefined)).toEqual([]);
    expect(await scheduler.pending()).toHaveLength(1);
    await expect(scheduler.schedule({ ...request, callId: 'b' })).rejects.toThrow(BUSY);
    await scheduler.dispose();
  });

  test('CoreToolScheduler starts nothing of a batch before all of it is decided', async () => {
    toolRegistry.registerTool({
      ...asking,
      name: 'free',
      kind: Kind.Read,
      shouldConfirmExecute: async () => false,
    });
    const { handlers, updates } = recordingHandlers();
    const scheduler = new CoreToolScheduler({ ...NOTHING, ...handlers, toolRegistry, config });
    await scheduler.schedule([request, { callId: 'b', name: 'free', args: {} }]);
    expect(updates.at(-1)?.map(({ status }) => status)).toEqual(['awaiting_approval', 'scheduled']);
    await scheduler.dispose();
  });

  test('Scheduler queues a second batch, and resolves with the completed calls', async () => {
    const confirmHandler = async () => ToolConfirmationOutcome.ProceedOnce;
    const scheduler = new Scheduler({ ...NOTHING, toolRegistry, config, confirmHandler });
    const both = await Promise.all(['a', 'b'].map((callId) => scheduler.schedule({ ...request, callId })));
    expect(both.map(([call]) => call?.status)).toEqual(['success', 'success']);
    await scheduler.dispose();
  });

  test('Config and PolicyEngine', async () => {
    const given = new Config({
      approvalMode: undefined,
      targetDir: undefined,
      policyEngine: undefined,
      messageBus: undefined,
      sessionId: undefined,
      interactive: undefined,
      toolDiscoveryCommand: undefined,
      toolCallCommand: undefined,
      onToolCallRecord: undefined,
      hooks: undefined,
    });
    expect([given.getApprovalMode(), given.isInteractive(), given.getTargetDir()]).toEqual([
      'manual',
      true,
      new Config().getTargetDir(),
    ]);
    const engine = new PolicyEngine({
      rules: undefined,
      defaultDecision: undefined,
      approvalMode: undefined,
      interactive: undefined,
      workspace: undefined,
      defaults: undefined,
    });
    expect((await engine.check({ name: 'list_directory', args: undefined })).decision).toBe('allow');
  });

  test('a rule: it holds for every call of its tool', async () => {
    const engine = new PolicyEngine();
    await engine.addRule({
      name: undefined,
      toolName: 'asking',
      mcpName: undefined,
      argsPattern: undefined,
      commandPrefix: undefined,
      commandExact: undefined,
      commandRegex: undefined,
      decision: 'deny',
      priority: undefined,
      modes: undefined,
      interactive: undefined,
      toolAnnotations: undefined,
      allowRedirection: undefined,
      denyMessage: undefined,
      subagent: undefined,
      matches: undefined,
      notMatches: undefined,
      source: undefined,
    });
    expect((await engine.check({ name: 'asking', args: {} })).decision).toBe('deny');
  });

  test('a defined tool, and the words for a family of models', async () => {
    const tool = defineTool({
      name: 'defined',
      displayName: 'Defined',
      description: 'Described.',
      kind: Kind.Think,
      input: z.object({ text: z.string().optional() }),
      canUpdateOutput: undefined,
      words: { 'gemini-3': undefined, openai: { description: undefined, input: undefined } },
      aliases: undefined,
      renameArgs: undefined,
      withContent: undefined,
      timeoutMs: undefined,
      resume: undefined,
      leave: undefined,
      plan: () => ({ title: 'Think', resources: [], repeat: 'safe' }),
      run: ({ text }) => ({ llmContent: String(text), returnDisplay: '', error: undefined }),
    });
    expect(tool.canUpdateOutput).toBe(false);
    toolRegistry.registerTool(tool);
    expect(toolRegistry.getFunctionDeclarations('gemini-3-pro').at(-1)).toMatchObject({
      description: 'Described.',
    });
    const scheduler = new Scheduler({ ...NOTHING, toolRegistry, config });
    const [call] = await scheduler.schedule({
      callId: 'a',
      name: 'defined',
      args: JSON.parse('{}', () => ({ text: undefined })),
      isClientInitiated: undefined,
      prompt_id: undefined,
    });
    expect(call).toMatchObject({ status: 'success' });
    await scheduler.dispose();
  });

  test('a plain tool: members of the other styles that are undefined do not count', async () => {
    const plain = {
      ...asking,
      name: 'plain',
      plan: undefined,
      run: undefined,
      check: undefined,
      build: undefined,
    };
    toolRegistry.registerTool({
      ...plain,
      displayName: undefined,
      schema: undefined,
      canUpdateOutput: undefined,
    });
    const scheduler = new Scheduler({
      toolRegistry,
      config,
      confirmHandler: async () => ToolConfirmationOutcome.ProceedOnce,
    });
    const [call] = await scheduler.schedule({ callId: 'a', name: 'plain', args: {} });
    expect(call).toMatchObject({ status: 'success' });
    await scheduler.dispose();
  });

  test('the display of a result: it is what the model gets', async () => {
    const silent = { llmContent: 'for the model', returnDisplay: undefined };
    toolRegistry.registerTool({
      ...asking,
      name: 'silent',
      kind: Kind.Read,
      shouldConfirmExecute: async () => false,
      execute: async () => JSON.parse('{}', () => silent),
    });
    const scheduler = new Scheduler({ toolRegistry, config });
    const [call] = await scheduler.schedule({ callId: 'a', name: 'silent', args: {} });
    expect(call?.response.resultDisplay).toBe('for the model');
    await scheduler.dispose();
  });

  test('a payload: the answer is as without it', async () => {
    const scheduler = new CoreToolScheduler({ toolRegistry, config });
    await scheduler.schedule(request);
    const payload = JSON.parse('{}', () => ({ args: undefined, newContent: undefined, scope: undefined }));
    expect(await scheduler.handleConfirmationResponse('a', 'proceed_once', payload)).toEqual({ ok: true });
    await scheduler.dispose();
  });

  test('hooks that are commands run, though a function of the other form is undefined', async () => {
    const hooks = {
      before: undefined,
      BeforeTool: [
        {
          matcher: undefined,
          sequential: undefined,
          hooks: [
            {
              type: 'command' as const,
              command: 'echo no >&2; exit 2',
              name: undefined,
              timeout: undefined,
              onFailure: undefined,
            },
          ],
        },
      ],
      AfterTool: undefined,
    };
    const hooked = new Config({ targetDir: place.workspace, hooks });
    const scheduler = new Scheduler({ toolRegistry, config: hooked });
    const [call] = await scheduler.schedule(request);
    expect(call).toMatchObject({
      status: 'error',
      response: { error: { message: expect.stringContaining('no') } },
    });
    await scheduler.dispose();
  });

  test('a step of a script is the one that it has', () => {
    const step = {
      calls: [{ name: 'a', args: undefined, callId: undefined, prompt_id: undefined }],
      text: undefined,
    };
    expect(scriptedModel([step]).next()).toEqual({
      calls: [{ callId: 'step-1-call-1', name: 'a', args: {} }],
    });
  });
});
