import type { Tool } from '@countersign/engine';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';

export const updateTopic: Tool = defineTool({
  name: 'update_topic',
  displayName: 'Update topic',
  description:
    'Show the user what you are working towards: at the start, and whenever the goal changes. It is displayed above your work and has no other effect.',
  kind: 'think',
  input: () =>
    z.strictObject({
      strategic_intent: z.string().describe('The goal of the next steps, in one sentence.'),
      title: z.string().optional().describe('A few words that name the topic.'),
      summary: z.string().optional().describe('The work done so far, in a few sentences.'),
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
