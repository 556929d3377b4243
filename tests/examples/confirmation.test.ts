import { expect, test } from 'vitest';
import { main } from '../../examples/confirmation.js';

const ran = await main();
const responseOf = (callId: string) => {
  const call = ran.completed.find(({ request }) => request.callId === callId);
  return call?.response.responseParts[0]?.functionResponse?.response;
};

test('each question is asked once, with what would change and what each answer would grant [E1, A1]', () => {
  expect(ran.questions.map(({ request }) => request.callId).toSorted()).toEqual([
    'allowed',
    'always',
    'changed',
    'declined',
  ]);
  const details = ran.questions.find(({ request }) => request.callId === 'allowed')?.confirmationDetails;
  expect(details).toMatchObject({
    type: 'edit',
    title: 'Write allowed.txt (new file)',
    fileName: 'allowed.txt',
    originalContent: null,
    newContent: 'as proposed for allowed.txt\n',
    diffStat: { added: 1, removed: 0 },
    isModifying: false,
  });
  expect(details?.outcomes.map(({ outcome }) => outcome)).toEqual([
    'proceed_once',
    'proceed_always',
    'proceed_always_and_save',
    'modify_with_editor',
    'cancel',
  ]);
  expect(ran.answers).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
});

test('answers decide: yes runs, no does not and tells the model why, always holds for as many calls as it says [E1]', () => {
  expect(ran.completed.map(({ request, status, outcome }) => [request.callId, status, outcome])).toEqual([
    ['allowed', 'success', 'proceed_once'],
    ['declined', 'cancelled', 'cancel'],
    ['changed', 'success', 'proceed_once'],
    ['always', 'success', 'proceed_always'],
    ['granted-1', 'success', undefined],
    ['granted-2', 'success', undefined],
  ]);
  expect(responseOf('declined')).toEqual({
    error: 'User did not allow tool call: Keep secrets out of files.',
  });
});

test('an answer with other content is consent to exactly that, and the model is informed [A4]', () => {
  expect(ran.changed).toBe('as the person wants it\n');
  expect(responseOf('changed')).toEqual({
    output: expect.stringContaining('The user changed the arguments of this call before it ran.'),
  });
});

test('an answer that comes late is refused, and says so [E1]', () => {
  expect(ran.late).toMatchObject({ ok: false, type: 'unknown_call' });
});
