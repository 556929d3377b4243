import { type Need, ToolFailure } from '@countersign/protocol';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Config } from '../config/config.js';
import { MessageBus } from '../config/message-bus.js';
import { defineTool } from '../tools/define-tool.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { WaitingToolCall } from '../types/call-types.js';
import { ApprovalMode, ToolConfirmationOutcome } from '../types/enums.js';
import { Scheduler } from './core-tool-scheduler.js';

const NEEDS: readonly Need[] = [
  { needs: 'network', host: 'example.org' },
  { needs: 'write', path: '/home/me/.cache', scope: 'tree' },
];

/** The sandbox stops it until it may have all of these. */
const needy = defineTool({
  name: 'needy',
  displayName: 'Needy',
  description: 'Needs things.',
  kind: 'execute',
  input: z.object({}),
  plan: () => ({ title: 'Run what needs things', resources: [], repeat: 'resumable' }),
  run: (_, { plan }) => {
    const missing = NEEDS[plan.needs?.length ?? 0];
    if (missing) throw new ToolFailure({ code: 'sandbox_denied', need: missing, exitCode: 6 }, '');
    return { llmContent: 'done', returnDisplay: 'done' };
  },
});

function scheduling(answer: (asked: readonly WaitingToolCall[]) => ToolConfirmationOutcome) {
  const asked: WaitingToolCall[] = [];
  const requests: string[] = [];
  const messageBus = new MessageBus();
  messageBus.subscribe('tool-confirmation-request', ({ digest }) => void requests.push(digest));
  const config = new Config({ approvalMode: ApprovalMode.YOLO, messageBus });
  const toolRegistry = new ToolRegistry(config);
  toolRegistry.registerTool(needy);
  const scheduler = new Scheduler({
    toolRegistry,
    config,
    confirmHandler: async (call) => {
      asked.push(call);
      return answer(asked);
    },
  });
  return { scheduler, asked, requests };
}

test('confirmHandler is asked again each time the sandbox has stopped a call [B2, E1]', async () => {
  const { scheduler, asked, requests } = scheduling(() => ToolConfirmationOutcome.ProceedOnce);
  const [call] = await scheduler.schedule({ callId: 'a', name: 'needy', args: {} });
  expect(call).toMatchObject({ status: 'success' });
  expect(asked.map(({ request }) => request.callId)).toEqual(['a', 'a']);
  expect(new Set(requests).size).toBe(2);
  await scheduler.dispose();
});

test('a no after the sandbox has stopped a call ends it [B2, E1]', async () => {
  const { scheduler, asked } = scheduling((so) =>
    so.length === 1 ? ToolConfirmationOutcome.ProceedOnce : ToolConfirmationOutcome.Cancel,
  );
  const [call] = await scheduler.schedule({ callId: 'a', name: 'needy', args: {} });
  expect(call).toMatchObject({ status: 'cancelled' });
  expect(asked).toHaveLength(2);
  await scheduler.dispose();
});
