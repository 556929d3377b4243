import type { Tool } from '@countersign/engine';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';

export const updateTopic: Tool = defineTool({
  name: 'update_topic',
  displayName: 'Update topic',
  description:
    'Tell the person what you are working towards: at the start, and whenever the aim changes. It is shown above your work and does nothing else.',
  kind: 'think',
  input: () =>
    z.strictObject({
      strategic_intent: z.string().describe('What the next steps are to achieve, in one sentence.'),
      title: z.string().optional().describe('A few words that name the topic.'),
      summary: z.string().optional().describe('What was done so far, in a few sentences.'),
    }),
  plan: ({ title, strategic_intent }) => ({
    title: `Topic: ${title ?? strategic_intent}`,
    resources: [],
    repeat: 'safe',
    byDefault: 'allow',
  }),
  run: ({ strategic_intent, title, summary }) => ({
    llmContent: `The topic is now: ${title ?? strategic_intent}`,
    returnDisplay: {
      topic: {
        strategic_intent,
        ...(title !== undefined && { title }),
        ...(summary !== undefined && { summary }),
      },
    },
  }),
});
