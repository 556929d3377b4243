import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import { expect } from 'vitest';
import { type Line, type Place, readCall, test, writeCall } from './program.js';

/** A program that waits with these calls, in session s1. */
async function waiting(place: Place, ...calls: readonly Line[]) {
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', JSON.stringify(calls)]);
  for (const { id } of calls) await running.told(`countersign approvals answer s1/${String(id)} `);
  return running;
}

async function killed(place: Place, ...calls: readonly Line[]): Promise<void> {
  const running = await waiting(place, ...calls);
  running.signal('SIGKILL');
  await running.ended();
}

test('after kill -9 the same questions are pending under the same ids, and an answer runs its call where it is given [A6]', async ({
  place,
}) => {
  const running = await waiting(place, writeCall('a.txt', 'x\n', 'w'), writeCall('b.txt', 'y\n', 'x'));
  const before = (await place.run(['approvals', 'list', '--json'])).lines;
  running.signal('SIGKILL');
  await running.ended();
  expect((await place.run(['approvals', 'list', '--json'])).lines).toEqual(before);

  const yes = await place.run(['approvals', 'answer', 's1/w', 'proceed_once']);
  expect(yes).toMatchObject({ code: 0, stderr: 'Answered s1/w.\n' });
  expect(yes.lines).toMatchObject([{ callId: 'w', status: 'success', outcome: 'proceed_once' }]);
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['x\n', false]);

  const no = await place.run(['approvals', 'answer', 's1/x', 'cancel']);
  expect(no.lines).toMatchObject([{ callId: 'x', status: 'cancelled' }]);
  expect(place.has('b.txt')).toBe(false);
  expect(await place.run(['approvals', 'list'])).toMatchObject({ stdout: '' });
});

test('exec --resume resumes the open calls of a dead process, each on its own [A6]', async ({ place }) => {
  await killed(place, writeCall('a.txt', 'x\n', 'w'), writeCall('b.txt', 'y\n', 'x'));
  const resumed = place.start(['exec', '--resume', 's1', '--approvals', 'stdio']);
  resumed.answer(await resumed.approval('x'), 'proceed_once');
  resumed.answer(await resumed.approval('w'), 'cancel', { payload: { feedback: 'no longer' } });
  resumed.say(readCall('b.txt', 'r'));
  resumed.end();
  const { code, lines } = await resumed.ended();
  expect(code).toBe(1);
  expect(lines.filter(({ status }) => status)).toMatchObject([
    { callId: 'w', status: 'cancelled' },
    { callId: 'x', status: 'success' },
    { callId: 'r', status: 'success', output: 'y\n' },
  ]);
  expect([place.has('a.txt'), place.read('b.txt')]).toEqual([false, 'y\n']);
});

test('a session that a live process works on is attached to, and both receive the outcome [C4] [A5]', async ({
  place,
}) => {
  const owner = await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  const client = place.start([
    'exec',
    '--resume',
    's1',
    '--approvals',
    'stdio',
    JSON.stringify(readCall('a.txt', 'r')),
  ]);
  await client.told('Another process has s1 open: its mode, rules and tools apply.');
  client.answer(await client.approval('w'), 'proceed_once');
  client.end();

  const heard = await client.ended();
  expect(heard.code).toBe(0);
  expect(heard.lines.filter(({ status }) => status)).toMatchObject([
    { callId: 'w', status: 'success', outcome: 'proceed_once' },
    { callId: 'r', status: 'success', output: 'x\n' },
  ]);
  // The read belongs to the client alone.
  expect((await owner.ended()).lines).toMatchObject([{ callId: 'w', status: 'success' }]);
});

test('Ctrl-C at a client cancels its own calls only [L5] [A5]', async ({ place }) => {
  const owner = await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  const client = place.start(['exec', '--resume', 's1', '--approvals', 'stdio', '--events']);
  await client.approval('w');
  client.say(readCall('a.txt', 'r'));
  await client.line({ type: 'event', seq: client.lines.filter(({ type }) => type === 'event').length });
  client.signal('SIGINT');
  const left = await client.ended();
  expect(left.code).toBe(130);
  expect(left.lines.filter(({ status }) => status)).toMatchObject([{ callId: 'r', status: 'cancelled' }]);

  const { lines } = await place.run(['approvals', 'list', '--json']);
  expect(lines).toMatchObject([{ id: 's1/w' }]);
  await place.run(['approvals', 'answer', 's1/w', 'proceed_once']);
  expect((await owner.ended()).lines).toMatchObject([{ callId: 'w', status: 'success' }]);
});

test('Ctrl-C at a client whose call the owner has not taken yet cancels it once it is taken [L5]', async ({
  place,
}) => {
  const owner = await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  const client = place.start(['exec', '--resume', 's1', '--approvals', 'stdio']);
  await client.approval('w');
  owner.signal('SIGSTOP');
  client.say(readCall('a.txt', 'r'));
  const journal = await sqliteJournal(join(place.home, 'countersign.db'));
  await expect.poll(async () => (await journal.inbox('s1')).length, { timeout: 10_000 }).toBe(1);
  await journal.close();
  client.signal('SIGINT');
  await client.told('Cancelling.');
  owner.signal('SIGCONT');
  const left = await client.ended();
  expect(left.code).toBe(130);
  expect(left.lines.filter(({ status }) => status)).toMatchObject([{ callId: 'r', status: 'cancelled' }]);
  await place.run(['approvals', 'answer', 's1/w', 'cancel']);
  await owner.ended();
});

test('a client whose session loses its owner reports it and exits [A6]', async ({ place }) => {
  const owner = await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  const client = place.start(['exec', '--resume', 's1', '--approvals', 'stdio']);
  await client.approval('w');
  owner.signal('SIGKILL');
  expect(await client.ended()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'No process has session s1 open.\n  Resume it with: countersign exec --resume s1\n',
    ),
  });
});

test('a new session needs a new id of a plain kind, and a known one is resumed by --resume [C1] [C3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const call = JSON.stringify(readCall('a.txt'));
  const first = (...more: string[]) => place.run(['exec', ...more, call]);
  expect(await first('--session', 's1')).toMatchObject({ code: 0 });
  expect(await first('--session', 's1')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'countersign: The session s1 already exists\n  Try: --resume s1\n',
  });
  expect((await first('--resume', 's1')).lines).toHaveLength(1);
  const piped = await place.run(['exec', '--resume', 's1'], { stdin: call });
  expect(piped.lines).toMatchObject([{ status: 'success', output: 'hello\n' }]);
  expect(await first('--resume', 'nowhere')).toMatchObject({
    code: 1,
    stderr: 'countersign: No session has the id "nowhere".\n  Check the id and --store.\n',
  });
  for (const odd of ['a/b', '', 'a b', '-a']) {
    const { code, stderr } = await first(`--session=${odd}`);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `countersign: "${odd}" cannot be the id of a session`]);
  }
});
