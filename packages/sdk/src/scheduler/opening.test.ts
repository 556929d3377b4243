import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryStore } from '@countersign/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { Config } from '../config/config.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { defineTool } from '../tools/define-tool.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { Kind } from '../types/enums.js';
import { CoreToolScheduler, Scheduler } from './core-tool-scheduler.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'countersign-sdk-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const PLAN_MS = 200;

const note = defineTool({
  name: 'note',
  displayName: 'Note',
  description: 'Notes something.',
  kind: Kind.Other,
  input: z.object({ text: z.string(), slowly: z.boolean().optional() }),
  plan: async ({ text, slowly }) => {
    if (slowly) await sleep(PLAN_MS);
    return { title: text, resources: [], repeat: 'unsafe', byDefault: slowly ? 'ask_user' : 'allow' };
  },
  run: ({ text }) => ({ llmContent: text, returnDisplay: text }),
});

function world(policyEngine?: PolicyEngine) {
  const config = new Config({ targetDir: workspace, ...(policyEngine && { policyEngine }) });
  const registry = new ToolRegistry(config);
  registry.registerTool(note);
  return { config, toolRegistry: registry };
}

test('rules given at the start hold exactly as written from the first call on [E2, P2]', async () => {
  const policyEngine = new PolicyEngine({
    rules: [
      { toolName: 'note', decision: 'allow' },
      { toolName: 'note', argsPattern: '"text":"secret', decision: 'deny', priority: 10 },
    ],
  });
  const scheduler = new Scheduler(world(policyEngine));
  const completed = await scheduler.schedule([
    { callId: 'a', name: 'note', args: { text: 'milk' } },
    { callId: 'b', name: 'note', args: { text: 'secret' } },
  ]);
  expect(completed.map(({ status }) => status)).toEqual(['success', 'error']);
  await scheduler.dispose();
});

test('a rule that cannot be used stops the start with its reason, instead of holding half [E2, P2]', async () => {
  const policyEngine = new PolicyEngine({
    rules: [{ toolName: 'note', argsPattern: '"text":"(', decision: 'deny' }],
  });
  const scheduler = new Scheduler(world(policyEngine));
  await expect(scheduler.schedule({ callId: 'a', name: 'note', args: { text: 'milk' } })).rejects.toThrow(
    'PolicyEngine:1',
  );
  await scheduler.dispose();
});

test('the waiting time of a call counts from its question, not from its request [O1]', async () => {
  const { config, toolRegistry } = world();
  const scheduler = new Scheduler({ config, toolRegistry, confirmHandler: async () => 'proceed_once' });
  const scheduledAt = Date.now();
  const [call] = await scheduler.schedule({
    callId: 'a',
    name: 'note',
    args: { text: 'milk', slowly: true },
  });
  expect(call).toMatchObject({ status: 'success', outcome: 'proceed_once' });
  // Clocks count in whole milliseconds, so that a few may be lost between them.
  expect(call?.waitedMs).toBeLessThan(Date.now() - scheduledAt - PLAN_MS + 5);
  await scheduler.dispose();
});

test('a tool that is unregistered while its call runs does not keep the batch from ending [E1, E2]', async () => {
  const { config, toolRegistry } = world();
  toolRegistry.registerTool({
    name: 'vanishing',
    description: 'Leaves.',
    kind: Kind.Read,
    execute: async () => {
      toolRegistry.unregisterTool('vanishing');
      return { llmContent: 'gone', returnDisplay: 'gone' };
    },
  });
  const scheduler = new Scheduler({ config, toolRegistry });
  const [call] = await scheduler.schedule({ callId: 'a', name: 'vanishing', args: {} });
  expect(call).toMatchObject({
    status: 'success',
    tool: { name: 'vanishing' },
    response: { resultDisplay: 'gone' },
  });
  const [later] = await scheduler.schedule({ callId: 'b', name: 'vanishing', args: {} });
  expect(later).toMatchObject({ status: 'error', response: { errorType: 'tool_not_registered' } });
  expect(later).not.toHaveProperty('tool');
  await scheduler.dispose();
});

test('calls of an earlier process are listed and can be ended without their tool [E1, A6]', async () => {
  const store = memoryStore({ keep: 'all' });
  const { config, toolRegistry } = world();
  const args = { text: 'milk', slowly: true };
  const open = (registry: ToolRegistry) =>
    new CoreToolScheduler({ config, toolRegistry: registry, journal: store.open(), sessionId: 's' });
  const before = open(toolRegistry);
  await before.schedule([
    { callId: 'a', name: 'note', args },
    { callId: 'b', name: 'note', args },
  ]);
  await before.dispose();

  const after = open(new ToolRegistry(config));
  const waiting = await after.pending();
  expect(waiting.map(({ request, tool }) => `${request.callId} ${tool.name}`)).toEqual(['a note', 'b note']);
  const over = after.resume();
  await after.handleConfirmationResponse('a', 'proceed_once');
  await after.cancel('b');
  expect((await over).map(({ status, response }) => `${status} ${response.errorType}`)).toEqual([
    'error tool_not_registered',
    'cancelled aborted',
  ]);
  await after.dispose();
});
