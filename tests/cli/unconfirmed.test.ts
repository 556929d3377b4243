import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import { expect } from 'vitest';
import { type Place, readCall, test, writeCall } from './program.js';

/** A program that waits with a write in session s1, and then hears nothing until it is told to continue. */
async function stopped(place: Place) {
  const owner = place.start([
    'exec',
    '--approvals',
    'wait',
    '--session',
    's1',
    JSON.stringify(writeCall('a.txt', 'x\n', 'w')),
  ]);
  await owner.told('countersign approvals answer s1/w ');
  owner.signal('SIGSTOP');
  return owner;
}

/** Waits until this many commands are left for the owner. */
async function posted(place: Place, count: number): Promise<void> {
  const journal = await sqliteJournal(join(place.home, 'countersign.db'));
  const left = async () => {
    const rows = await journal.inbox('s1');
    return rows.length;
  };
  await expect.poll(left, { timeout: 10_000 }).toBe(count);
  await journal.close();
}

const answer = (...words: string[]) => ['approvals', 'answer', 's1/w', ...words];

test('Ctrl-C withdraws an unconfirmed answer, which is reported [A5] [C4]', async ({ place }) => {
  const owner = await stopped(place);
  const answering = place.start(answer('proceed_once'));
  await posted(place, 1);
  answering.signal('SIGINT');
  expect(await answering.ended()).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('The command was withdrawn and has no effect.'),
  });
  await posted(place, 0);
  owner.signal('SIGCONT');
  expect(await place.run(answer('cancel'))).toMatchObject({ code: 0, stderr: 'Answered s1/w.\n' });
  expect((await owner.ended()).lines).toMatchObject([{ callId: 'w', status: 'cancelled' }]);
  expect(place.has('a.txt')).toBe(false);
});

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)
  test(`an answer whose sender ended by ${signal} before it was confirmed does not count [A5]`, async ({
    place,
  }) => {
    const owner = await stopped(place);
    const answering = place.start(answer('proceed_once'));
    await posted(place, 1);
    answering.signal(signal);
    await answering.ended();
    owner.signal('SIGCONT');
    expect(await place.run(answer('cancel'))).toMatchObject({ code: 0 });
    expect((await owner.ended()).lines).toMatchObject([{ callId: 'w', status: 'cancelled' }]);
    expect(place.has('a.txt')).toBe(false);
  });

test('calls and cancellations of a killed client do not count either [A5]', async ({ place }) => {
  const owner = await stopped(place);
  const client = place.start(['exec', '--resume', 's1', '--approvals', 'stdio']);
  await client.approval('w');
  client.say(writeCall('b.txt', 'y\n', 'b'));
  await posted(place, 1);
  client.signal('SIGKILL');
  await client.ended();
  owner.signal('SIGCONT');
  expect(await place.run(answer('proceed_once'))).toMatchObject({ code: 0 });
  expect((await owner.ended()).lines).toMatchObject([{ callId: 'w', status: 'success' }]);
  const listed = await place.run(['exec', '--resume', 's1', JSON.stringify(readCall('a.txt', 'r'))]);
  expect(listed.lines).toMatchObject([{ callId: 'r', status: 'success' }]);
  expect(place.has('b.txt')).toBe(false);
});

test('a message that a client of attach withdrew is not sent to the model [A5]', async ({ place }) => {
  const owner = await stopped(place);
  const attached = place.start(['attach', 's1']);
  await attached.told('has s1 open');
  attached.end('say this\n');
  await posted(place, 1);
  attached.signal('SIGINT');
  await attached.ended();
  owner.signal('SIGCONT');
  await place.run(answer('cancel'));
  await owner.ended();
  const journal = await sqliteJournal(join(place.home, 'countersign.db'));
  const facts = await journal.read('s1', 0);
  await journal.close();
  expect(facts.map(({ event }) => event.type)).not.toContain('message.added');
});
