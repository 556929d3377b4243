import { expect } from 'vitest';
import { main, openScheduler } from '../../examples/persistence.js';
import { test } from '../cli/program.js';

test('a question outlives the scheduler that asked it, is the same afterwards, and can be answered [E1, A6]', async () => {
  const { before, after, written } = await main();
  expect(before.map(({ request }) => request.callId)).toEqual(['w']);
  expect(after.waiting.map(({ request }) => request.callId)).toEqual(['w']);
  expect(after.waiting[0]?.confirmationDetails.digest).toBe(before[0]?.confirmationDetails.digest);
  expect(after.completed.map(({ status, outcome }) => `${status} ${outcome}`)).toEqual([
    'success proceed_once',
  ]);
  expect(written).toBe('alpha\n');
});

test('a snapshot file holds the calls as they were last shown [E2]', async () => {
  const { snapshot } = await main();
  expect(snapshot).toMatchObject({
    toolCalls: [{ status: 'awaiting_approval', tool: 'write_file', request: { callId: 'w' } }],
    sessionId: process.env['SESSION_ID'] ?? 'default',
    timestamp: expect.any(Number),
  });
});

test('a question that a program left behind is seen and answered by the countersign command [E1, A5, A6]', async ({
  place,
}) => {
  const scheduler = openScheduler(place.workspace, place.directory);
  const args = { file_path: 'a.txt', content: 'alpha\n' };
  await scheduler.schedule({ callId: 'w', name: 'write_file', args });
  await scheduler.dispose();

  const store = ['--store', place.directory];
  const listed = await place.run(['approvals', 'list', '--json', ...store]);
  expect(listed.lines).toMatchObject([{ id: 'my-session/w', sessionId: 'my-session' }]);
  const answered = await place.run(['approvals', 'answer', 'my-session/w', 'proceed_once', ...store]);
  expect(answered.code).toBe(0);
  expect(place.read('a.txt')).toBe('alpha\n');
});

test('a question of a program that still runs can be answered by the countersign command too [E1, A5]', async ({
  place,
}) => {
  const scheduler = openScheduler(place.workspace, place.directory);
  const args = { file_path: 'a.txt', content: 'alpha\n' };
  await scheduler.schedule({ callId: 'w', name: 'write_file', args });
  const over = scheduler.resume();
  const answered = await place.run([
    'approvals',
    'answer',
    'my-session/w',
    'proceed_once',
    '--store',
    place.directory,
  ]);
  expect(answered.code).toBe(0);
  expect((await over).map(({ status, outcome }) => `${status} ${outcome}`)).toEqual(['success proceed_once']);
  await scheduler.dispose();
});
