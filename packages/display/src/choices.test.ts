import type { Confirmation, Offer, Outcome, Question } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { choicesOf } from './choices.js';

const offer = (outcome: Outcome): Offer => ({ outcome, grant: null });
const YES_OR_NO = [offer('proceed_once'), offer('cancel')];

function listed(confirmation: Confirmation, offers: readonly Offer[]): readonly string[] {
  const question: Question = { digest: 'd', confirmation, offers, askedAt: 0 };
  return choicesOf(question).map(({ type, id }) => `${type} (${id})`);
}

const exec: Confirmation = {
  type: 'exec',
  title: 'ls',
  command: 'ls',
  rootCommand: 'ls',
  rootCommands: ['ls'],
  directory: '',
  riskLevel: 'low',
  riskReasons: [],
};
const plan: Confirmation = { type: 'exit_plan_mode', title: 'Plan', plan: 'Do it.', planPath: '/plan.md' };

test('agreeing comes first in the order of the offers, declining last [A1]', () => {
  const offers = [
    'proceed_once',
    'proceed_always',
    'proceed_always_and_save',
    'modify_with_editor',
    'cancel',
  ];
  expect(
    listed(
      exec,
      offers.map((outcome) => offer(outcome as Outcome)),
    ),
  ).toEqual([
    'allow once (proceed_once)',
    'allow always (proceed_always)',
    'allow always (proceed_always_and_save)',
    'edit (modify_with_editor)',
    'decline (cancel)',
    'stop (cancel stop)',
  ]);
});

test('each "always" is one choice with all its scopes: the exact command besides its beginning [A1] [P6]', () => {
  const words = ['git', 'push', 'origin', 'main'];
  const command = (match: 'exact' | 'prefix') => ({ kind: 'command', match, commands: [words] }) as const;
  const always = (outcome: Outcome, match: 'exact' | 'prefix', scope: 'session' | 'project'): Offer => ({
    outcome,
    grant: { pattern: command(match), scope, scopes: ['session', 'project', 'user'], text: '' },
  });
  const offers = [
    offer('proceed_once'),
    always('proceed_always', 'exact', 'session'),
    always('proceed_always_tool', 'prefix', 'session'),
    always('proceed_always_and_save', 'prefix', 'project'),
    offer('cancel'),
  ];
  const choices = choicesOf({ digest: 'd', confirmation: exec, offers, askedAt: 0 });
  expect(choices.map(({ id }) => id)).toEqual([
    'proceed_once',
    'proceed_always',
    'proceed_always_tool',
    'cancel',
    'cancel stop',
  ]);
  const ways = choices.flatMap((choice) => (choice.type === 'allow always' ? choice.ways : []));
  expect(ways.map(({ id, scope, payload = {} }) => [id, scope, payload])).toEqual([
    ['proceed_always', 'session', {}],
    ['proceed_always project', 'project', { scope: 'project' }],
    ['proceed_always user', 'user', { scope: 'user' }],
    ['proceed_always_tool', 'session', {}],
    ['proceed_always_and_save', 'project', {}],
    ['proceed_always_tool user', 'user', { scope: 'user' }],
  ]);
  expect(ways[1]?.text).toBe('exactly `git push origin main`, in every session of this workspace');
});

test('an offer without a list of scopes is for its own scope or the session, as answers are accepted [P6]', () => {
  const pattern = { kind: 'mcp-tool', server: 'cloud', tool: 'deploy' } as const;
  const saved: Offer = {
    outcome: 'proceed_always_and_save',
    grant: { pattern, scope: 'project', text: 'deploy' },
  };
  const [always] = choicesOf({ digest: 'd', confirmation: exec, offers: [saved], askedAt: 0 });
  expect(always).toMatchObject({
    outcome: 'proceed_always_and_save',
    payload: { scope: 'session' },
    ways: [{ scope: 'session' }, { scope: 'project' }],
  });
});

test('what is not on offer is no choice: a plan that cannot be carried out has no yes [A1]', () => {
  expect(listed(plan, YES_OR_NO)).toEqual([
    'agree (proceed_once)',
    'agree (proceed_once auto_edit)',
    'decline (cancel)',
  ]);
  expect(listed(plan, [offer('modify_with_editor'), offer('cancel')])).toEqual([
    'edit (modify_with_editor)',
    'decline (cancel)',
  ]);
});

test('one question with suggested answers is a choice among them, several are a form [A1]', () => {
  const colour = { question: 'Which?', header: 'Colour', type: 'choice' } as const;
  const options = ['Red', 'Blue'].map((label) => ({ label, description: '' }));
  const asks = (...questions: (typeof colour & { options?: typeof options })[]): Confirmation => ({
    type: 'ask_user',
    title: 'Colour',
    questions,
  });
  expect(listed(asks({ ...colour, options }), YES_OR_NO)).toEqual([
    'reply (proceed_once 0)',
    'reply (proceed_once 1)',
    'stop (cancel stop)',
    'decline (cancel)',
  ]);
  expect(listed(asks({ ...colour, options }, colour), YES_OR_NO)[0]).toBe('fill in a form (proceed_once)');
  expect(listed(asks(colour), YES_OR_NO)[0]).toBe('fill in a form (proceed_once)');
});
