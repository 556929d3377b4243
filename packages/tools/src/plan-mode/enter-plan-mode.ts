import type { Tool } from '@countersign/engine';
import { PLANS_DIRECTORY } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';

export const enterPlanMode: Tool = defineTool({
  name: 'enter_plan_mode',
  displayName: 'Enter plan mode',
  description:
    'Explore and write a plan before changing anything, for work where the user should approve the approach first. Until the plan is approved with exit_plan_mode, only reading is possible.',
  kind: 'plan',
  input: () =>
    z.strictObject({
      reason: z.string().optional().describe('Why a plan is needed, shown to the user.'),
    }),
  plan: ({ reason }) => {
    const title = 'Switch to plan mode';
    const prompt = 'Only the plan is written until you approve it.';
    return {
      title,
      resources: [],
      repeat: 'safe',
      byDefault: 'ask_user',
      confirmation: {
        type: 'info',
        title,
        prompt: reason === undefined ? prompt : `${prompt}\nReason: ${reason}`,
        urls: [],
      },
    };
  },
  run: (_, { setMode }) => {
    setMode('plan');
    return {
      llmContent: `Plan mode is on: calls that make changes are denied. Explore, then write the plan with write_file to ${PLANS_DIRECTORY}/NAME.md (the only writable directory) and call exit_plan_mode with plan_filename "NAME.md" to have it approved.`,
      returnDisplay: 'Plan mode is on.',
    };
  },
});
