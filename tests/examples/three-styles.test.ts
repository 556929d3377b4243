import { expect, test } from 'vitest';
import { main } from '../../examples/three-styles.js';

const ran = await main();

test('a tool in the class style, as a plain object and by defineTool is asked about and run alike [E2]', () => {
  expect(ran.asked.toSorted()).toEqual([
    'deploy_class: Deploy to production?',
    'deploy_defined: Deploy to production?',
    'deploy_plain: Deploy to production?',
  ]);
  const withTarget = ran.completed.filter(({ request }) => request.args['target'] !== '');
  expect(withTarget.map(({ request, status, outcome }) => [request.callId, status, outcome])).toEqual([
    ['deploy_class staging', 'success', undefined],
    ['deploy_plain staging', 'success', undefined],
    ['deploy_defined staging', 'success', undefined],
    ['deploy_class production', 'success', 'proceed_once'],
    ['deploy_plain production', 'success', 'proceed_once'],
    ['deploy_defined production', 'success', 'proceed_once'],
  ]);
  expect(ran.deployed).toBe('staging\nstaging\nstaging\nproduction\nproduction\nproduction\n');
});

test('in each style wrong arguments are refused with the reason [L3]', () => {
  const refused = ran.completed.filter(({ request }) => request.args['target'] === '');
  expect(refused.map(({ response }) => response.resultDisplay)).toEqual([
    'Invalid arguments for deploy_class: A target needs a name.',
    'Invalid arguments for deploy_plain: A target needs a name.',
    expect.stringContaining('Invalid arguments for deploy_defined: "target" must be a string of at least 1'),
  ]);
});

test('a model is told the same of each [E2]', () => {
  for (const { parametersJsonSchema } of ran.declarations) {
    expect(parametersJsonSchema).toMatchObject({
      type: 'object',
      properties: { target: { type: 'string' } },
      required: ['target'],
    });
  }
});
