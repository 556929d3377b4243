import { expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { updateTopic } from './update-topic.js';

test('the topic is shown by front ends as data, and nothing is touched [T3]', async () => {
  const args = { strategic_intent: 'Find the leak.', title: 'Leak', summary: 'Read the pool.' };
  const { plan, result } = await carryOut(updateTopic, args, { workspace: '/ws' });
  expect(plan).toMatchObject({ title: 'Topic: Leak', resources: [], byDefault: 'allow' });
  expect(result).toEqual({ llmContent: 'The topic is now: Leak', returnDisplay: { topic: args } });
});

test('the intent alone is enough', async () => {
  const args = { strategic_intent: 'Find the leak.' };
  const { result } = await carryOut(updateTopic, args, { workspace: '/ws' });
  expect(result).toEqual({ llmContent: 'The topic is now: Find the leak.', returnDisplay: { topic: args } });
});
