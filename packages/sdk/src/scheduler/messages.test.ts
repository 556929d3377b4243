import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Config } from '../config/config.js';
import { type BusMessage, type BusMessageType, MessageBus } from '../config/message-bus.js';
import { registerBuiltInTools } from '../tools/built-in.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { Kind } from '../types/enums.js';
import type { PlainTool, ToolConfirmationPayload } from '../types/tool-types.js';
import { Scheduler } from './core-tool-scheduler.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'countersign-sdk-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const QUESTIONS = [{ question: 'Which colour?', header: 'Colour', type: 'text' }] as const;

/** A tool that asks a question and receives the answer. */
const survey = (received: ToolConfirmationPayload[]): PlainTool => ({
  name: 'survey',
  description: 'Asks.',
  kind: Kind.Communicate,
  shouldConfirmExecute: () =>
    Promise.resolve({
      type: 'ask_user',
      title: 'A question',
      questions: QUESTIONS,
      onConfirm: (_outcome, payload = {}) => {
        received.push(payload);
      },
    }),
  execute: () => Promise.resolve({ llmContent: 'Asked.', returnDisplay: 'Asked.' }),
});

function world(tools: readonly PlainTool[] = []) {
  const messageBus = new MessageBus();
  const config = new Config({ targetDir: workspace, messageBus });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  for (const tool of tools) registry.registerTool(tool);
  return { config, toolRegistry: registry, messageBus };
}

function hearing<T extends BusMessageType>(bus: MessageBus, type: T) {
  const received: Extract<BusMessage, { type: T }>[] = [];
  bus.subscribe(type, (message) => received.push(message));
  return received;
}

test('a denial by policy is published as a message too [E2]', async () => {
  const { config, toolRegistry, messageBus } = world();
  const rejections = hearing(messageBus, 'tool-policy-rejection');
  await config
    .getPolicyEngine()
    .addRule({ toolName: 'write_file', decision: 'deny', denyMessage: 'Not now.' });
  const scheduler = new Scheduler({ config, toolRegistry });
  const args = { file_path: 'a.txt', content: 'a' };
  await scheduler.schedule([
    { callId: 'w', name: 'write_file', args },
    { callId: 'r', name: 'read_file', args: { file_path: 'gone' } },
  ]);
  expect(rejections).toEqual([
    { type: 'tool-policy-rejection', toolCall: { name: 'write_file', args }, reason: 'Not now.' },
  ]);
  await scheduler.dispose();
});

test('a grant made by an answer is published as a message, once [E2]', async () => {
  const { config, toolRegistry, messageBus } = world();
  const changes = hearing(messageBus, 'update-policy');
  const scheduler = new Scheduler({ config, toolRegistry, confirmHandler: async () => 'proceed_always' });
  const write = (file_path: string) =>
    scheduler.schedule({ callId: file_path, name: 'write_file', args: { file_path, content: 'x' } });
  expect((await write('a.txt'))[0]).toMatchObject({ status: 'success', outcome: 'proceed_always' });
  expect((await write('b.txt'))[0]).toMatchObject({ status: 'success', decidedBy: changes[0]?.grantId });
  expect(changes.map(({ change }) => change)).toEqual(['grant.added']);
  await scheduler.dispose();
});

test('a question to a person is published and can be answered by message, until the scheduler is disposed of [E2, S6]', async () => {
  const received: ToolConfirmationPayload[] = [];
  const { config, toolRegistry, messageBus } = world([survey(received)]);
  const asked = hearing(messageBus, 'ask-user-request');
  const stop = messageBus.subscribe('ask-user-request', ({ correlationId }) => {
    messageBus.publish({ type: 'ask-user-response', correlationId: 'another', answers: ['red'] });
    messageBus.publish({ type: 'ask-user-response', correlationId, answers: ['blue'] });
  });
  const scheduler = new Scheduler({ config, toolRegistry });
  const [call] = await scheduler.schedule({ callId: 's', name: 'survey', args: {} });
  expect(call).toMatchObject({ status: 'success', outcome: 'proceed_once' });
  expect(asked.map(({ questions }) => questions)).toEqual([QUESTIONS]);
  expect(received).toEqual([{ answers: ['blue'] }]);
  await scheduler.dispose();
  stop();
});
