import { join } from 'node:path';
import Database from 'libsql';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Place, test, writeCall } from './program.js';

/** Change the store as any process of the same user could. */
function alter(place: Place, sql: string): void {
  const db = new Database(join(place.home, 'countersign.db'));
  db.exec(sql);
  db.close();
}

const shell = (command: string, id = 'w') => ({ id, name: 'run_shell_command', args: { command } });

/** A program that waits with a call in session s1; killed, unless it is to live. */
async function waiting(place: Place, call: object, fate: 'killed' | 'alive' = 'killed') {
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', JSON.stringify(call)]);
  await running.told('countersign approvals answer s1/w ');
  if (fate === 'killed') {
    running.signal('SIGKILL');
    await running.ended();
  }
  return running;
}

const HARMLESS = `UPDATE approvals SET body = replace(replace(body, 'touch made.txt', 'echo harmless'), 'made.txt', 'nothing.txt')`;

for (const fate of ['killed', 'alive'] as const)
  test(`an altered row of the inbox does not change what is shown, its owner ${fate} [A1] [J1]`, async ({
    place,
  }) => {
    await waiting(place, shell('touch made.txt'), fate);
    alter(place, HARMLESS);
    const shown = await place.run(['approvals', 'list', '--verbose']);
    expect(shown.stdout).toContain('touch made.txt');
    expect(shown.stdout).not.toContain('harmless');
    const { lines } = await place.run(['approvals', 'list', '--json']);
    expect(lines).toMatchObject([{ id: 's1/w', question: { confirmation: { command: 'touch made.txt' } } }]);
  });

test('an altered record is refused by name, in the list and at the answer, and nothing runs [J1]', async ({
  place,
}) => {
  await waiting(place, shell('touch made.txt'));
  alter(place, `UPDATE journal SET body = replace(body, 'touch made.txt', 'echo harmless')`);
  const refusal = expect.stringMatching(/in session s1, the records \d+ to \d+ were altered/);
  expect(await place.run(['approvals', 'list'])).toMatchObject({ code: 4, stderr: refusal });
  const yes = await place.run(['approvals', 'answer', 's1/w', 'proceed_once']);
  expect(yes).toMatchObject({ code: 4, stderr: refusal });
  expect(place.has('made.txt')).toBe(false);
});

test('the record after the first one is the one that is named when it was altered [J1]', async ({
  place,
}) => {
  await waiting(place, shell('touch made.txt'));
  const db = new Database(join(place.home, 'countersign.db'));
  const [, second] = z
    .array(z.object({ first_seq: z.number(), last_seq: z.number() }))
    .parse(db.prepare('SELECT first_seq, last_seq FROM journal ORDER BY first_seq').all());
  db.close();
  alter(
    place,
    `UPDATE journal SET body = replace(body, 'touch', 'other') WHERE first_seq = ${second?.first_seq}`,
  );
  for (const verb of ['show', 'export'])
    expect(await place.run(['sessions', verb, 's1'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`the records ${second?.first_seq} to ${second?.last_seq}`),
    });
});

test('a row that lists an answered call as pending is not shown [A5] [J1]', async ({ place }) => {
  await waiting(place, shell('touch made.txt'));
  const db = new Database(join(place.home, 'countersign.db'));
  const [row] = z.array(z.object({ body: z.string() })).parse(db.prepare('SELECT body FROM approvals').all());
  await place.run(['approvals', 'answer', 's1/w', 'cancel']);
  db.prepare('UPDATE approvals SET body = ?, answer = NULL').run(row?.body);
  db.close();
  expect(await place.run(['approvals', 'list'])).toMatchObject({ stdout: '' });
  // Nor can it be said of a call that somebody else has answered it.
  const again = await place.run(['approvals', 'answer', 's1/w', 'proceed_once']);
  expect(again).toMatchObject({ code: 1 });
  expect(place.has('made.txt')).toBe(false);
});

/** Sessions s1, s2 … each with a write; the first is answered permanently. */
async function granted(place: Place, outcome: string): Promise<void> {
  await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  expect(await place.run(['approvals', 'answer', 's1/w', outcome])).toMatchObject({ code: 0 });
}

const write = (place: Place, session: string, file: string) =>
  place.run([
    'exec',
    '--session',
    session,
    '--approvals',
    'deny',
    JSON.stringify(writeCall(file, 'y\n', 'v')),
  ]);

const grantId = (place: Place): string => {
  const db = new Database(join(place.home, 'countersign.db'));
  const [row] = z.array(z.object({ id: z.string() })).parse(db.prepare('SELECT id FROM grants').all());
  db.close();
  return row?.id ?? '';
};

test('a revoked grant stays revoked, even if its row is altered [P6] [J1]', async ({ place }) => {
  await granted(place, 'proceed_always_and_save');
  expect((await write(place, 's2', 'b.txt')).lines).toMatchObject([{ status: 'success' }]);
  expect(await place.run(['grants', 'revoke', grantId(place)])).toMatchObject({ code: 0 });
  alter(place, 'UPDATE grants SET revoked = 0');
  expect((await write(place, 's3', 'c.txt')).lines).toMatchObject([{ status: 'error' }]);
  expect(place.has('c.txt')).toBe(false);
  expect((await place.run(['grants', 'list'])).stdout).not.toContain(grantId(place));
});

test('a record that was removed with the revocation in it brings no grant back [P6] [J1]', async ({
  place,
}) => {
  await granted(place, 'proceed_always_and_save');
  expect(await place.run(['grants', 'revoke', grantId(place)])).toMatchObject({ code: 0 });
  alter(place, `DELETE FROM journal WHERE instr(body, '"grant.revoked"') > 0; UPDATE grants SET revoked = 0`);
  const refusal = expect.stringMatching(/in session s1, records are missing/);
  expect(await place.run(['grants', 'list'])).toMatchObject({ code: 4, stderr: refusal });
  await write(place, 's3', 'c.txt');
  expect(place.has('c.txt')).toBe(false);
});

test('a row for a call that the facts never asked about is not shown, and cannot be answered [A5] [J1]', async ({
  place,
}) => {
  await waiting(place, shell('touch made.txt'));
  alter(
    place,
    `INSERT INTO approvals (session, call, body) SELECT 'ghost', 'c1', replace(replace(body, 's1', 'ghost'), '"w"', '"c1"') FROM approvals WHERE session = 's1';
     INSERT INTO approvals (session, call, body) SELECT 's1', 'c1', replace(body, '"w"', '"c1"') FROM approvals WHERE session = 's1'`,
  );
  const { lines } = await place.run(['approvals', 'list', '--json']);
  expect(lines).toMatchObject([{ id: 's1/w' }]);
  expect(lines).toHaveLength(1);
  for (const id of ['ghost/c1', 's1/c1'])
    expect(await place.run(['approvals', 'answer', id, 'proceed_once'])).toMatchObject({ code: 1 });
});

for (const change of [`DELETE FROM approvals`, `UPDATE approvals SET answer = '{}'`])
  test(`a question that the list lacks is found in the facts (${change}) [A5] [J1]`, async ({ place }) => {
    await waiting(place, shell('touch made.txt'));
    alter(place, change);
    expect(await place.run(['approvals', 'answer', 's1/w', 'proceed_once'])).toMatchObject({ code: 0 });
    expect(place.has('made.txt')).toBe(true);
  });

test('a grant that no fact made, or that its row widens, allows nothing more [P6] [J1]', async ({
  place,
}) => {
  await granted(place, 'proceed_always');
  // For this session only, until somebody edits the row.
  alter(
    place,
    `UPDATE grants SET scope = 'user', scope_key = '', body = replace(body, '"session"', '"user"')`,
  );
  expect((await write(place, 's2', 'b.txt')).lines).toMatchObject([{ status: 'error' }]);
  alter(
    place,
    `INSERT INTO grants (id, scope, scope_key, uses, revoked, body) SELECT 'forged', 'user', '', NULL, 0, replace(body, id, 'forged') FROM grants`,
  );
  expect((await write(place, 's3', 'c.txt')).lines).toMatchObject([{ status: 'error' }]);
  expect([place.has('b.txt'), place.has('c.txt')]).toEqual([false, false]);
});

test('what was granted for a workspace outlives the session that it was granted in [P6]', async ({
  place,
}) => {
  await granted(place, 'proceed_always_and_save');
  expect(await place.run(['sessions', 'delete', 's1', '--yes'])).toMatchObject({ code: 0 });
  expect((await write(place, 's2', 'b.txt')).lines).toMatchObject([{ status: 'success' }]);
  expect(await place.run(['grants', 'revoke', grantId(place)])).toMatchObject({ code: 0 });
  expect((await write(place, 's3', 'c.txt')).lines).toMatchObject([{ status: 'error' }]);
});

test('a session is resumed in its own workspace, even if its row is altered [P5] [J1]', async ({ place }) => {
  await waiting(place, writeCall('a.txt', 'x\n', 'w'));
  alter(place, `UPDATE sessions SET workspace = '/'`);
  expect(await place.run(['approvals', 'answer', 's1/w', 'proceed_once'])).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('x\n');
});
