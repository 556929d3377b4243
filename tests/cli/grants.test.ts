import { expect } from 'vitest';
import { errorOf, type Line, type Place, type Running, test, writeCall } from './program.js';

const session = (place: Place, id: string): Running =>
  place.start(['exec', '--approvals', 'stdio', '--session', id]);

const grants = (place: Place, ...args: string[]) => place.run(['grants', ...args]);

/** Ask for a write and answer it. */
async function write(running: Running, id: string, outcome: string, more: Line = {}): Promise<void> {
  running.say(writeCall(`${id}.txt`, 'x\n', id));
  running.answer(await running.approval(id), outcome, more);
  expect(await running.line({ callId: id })).toMatchObject({ status: 'success' });
}

/** Ask for a write that nobody needs to answer. */
async function writeUnasked(running: Running, id: string): Promise<void> {
  running.say(writeCall(`${id}.txt`, 'x\n', id));
  expect(await running.line({ callId: id })).toMatchObject({ status: 'success' });
  expect(running.lines).not.toContainEqual(expect.objectContaining({ type: 'approval', id }));
}

async function onlyGrant(place: Place): Promise<string> {
  const { lines } = await grants(place, 'list', '--json');
  expect(lines).toHaveLength(1);
  return String(lines[0]?.['id']);
}

test('grants are listed with pattern, scope, uses, expiry and user [P6]', async ({ place }) => {
  expect(await grants(place, 'list')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^There are no grants/),
  });
  expect(place.has('../home/countersign.db')).toBe(false);

  const running = session(place, 's1');
  const expiresAt = Date.now() + 3_600_000;
  await write(running, 'a', 'proceed_always', { payload: { uses: 2, expiresAt }, by: 'anna' });
  await writeUnasked(running, 'b');
  running.say({ id: 'c', name: 'run_shell_command', args: { command: 'git fetch origin' } });
  running.answer(await running.approval('c'), 'proceed_always_and_save');
  await running.line({ callId: 'c' });

  const { code, stdout } = await grants(place, 'list');
  expect(code).toBe(0);
  const [first, firstMore, second, secondMore] = stdout.split('\n');
  expect(first).toMatch(/^\S+ {2}edits of files inside the workspace$/);
  expect(firstMore).toContain(
    `  for the session s1, 1 use left, until ${new Date(expiresAt).toISOString()}, given by `,
  );
  expect(second).toMatch(
    /^\S+ {2}commands that begin with `git fetch origin`, but not from another remote or an address, .+$/,
  );
  expect(secondMore).toMatch(
    new RegExp(
      `^  in every session of ${place.workspace}, any number of times, until revoked, given by \\S+ at \\d{4}-\\S+Z$`,
    ),
  );

  const { lines } = await grants(place, 'list', '--json');
  expect(lines).toMatchObject([
    {
      pattern: { kind: 'edits' },
      scope: 'session',
      scopeKey: 's1',
      uses: 1,
      expiresAt,
      text: 'edits of files inside the workspace',
    },
    {
      pattern: { kind: 'command', commands: [['git', 'fetch', 'origin']] },
      scope: 'project',
      uses: null,
      expiresAt: null,
    },
  ]);
});

test('revoking is in force at once in every running session, the one that made it and others [P6]', async ({
  place,
}) => {
  const first = session(place, 's1');
  const second = session(place, 's2');
  await write(first, 'a', 'proceed_always_and_save');
  await writeUnasked(first, 'b');
  await writeUnasked(second, 'c');

  const id = await onlyGrant(place);
  expect(await grants(place, 'revoke', id, '--by', 'bert')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `Revoked ${id}.\n`,
  });
  for (const [running, callId] of [
    [first, 'd'],
    [second, 'e'],
  ] as const) {
    running.say(writeCall(`${callId}.txt`, 'x\n', callId));
    await running.approval(callId);
  }
  expect((await grants(place, 'list')).stdout).toBe('');
});

test('a call that the grant let through and that has not started is cancelled [P6]', async ({ place }) => {
  const running = session(place, 's1');
  await write(running, 'a', 'proceed_always');
  // What it touches is not known, so that the write behind it waits.
  const command = 'touch begun; until [ -e go ]; do sleep 0.02; done; touch ended';
  running.say([{ id: 'long', name: 'run_shell_command', args: { command } }, writeCall('b.txt', 'x\n', 'b')]);
  running.answer(await running.approval('long'), 'proceed_once');
  await expect.poll(() => place.has('begun'), { timeout: 10_000 }).toBe(true);

  const id = await onlyGrant(place);
  expect((await grants(place, 'revoke', id)).code).toBe(0);
  place.write('go', '');
  const line = await running.line({ callId: 'b' });
  expect([line['status'], errorOf(line).type]).toEqual(['cancelled', 'grant_revoked']);
  expect([place.has('b.txt'), place.has('ended')]).toEqual([false, true]);
});

test('a grant of a session that no process works on is revoked too, and nothing of it runs [P6]', async ({
  place,
}) => {
  const running = session(place, 's1');
  await write(running, 'a', 'proceed_always_and_save');
  running.say({ id: 'waits', name: 'run_shell_command', args: { command: 'touch ran' } });
  await running.approval('waits');
  running.signal('SIGKILL');
  await running.ended();

  const id = await onlyGrant(place);
  const { code, lines } = await grants(place, 'revoke', id, '--json');
  expect([code, lines]).toEqual([0, [{ type: 'ack', id, ok: true }]]);
  expect(place.has('ran')).toBe(false);
  const next = session(place, 's2');
  next.say(writeCall('b.txt', 'x\n', 'b'));
  await next.approval('b');
  // The session itself continues as if nothing had happened to it.
  const again = place.start(['exec', '--approvals', 'stdio', '--resume', 's1']);
  again.answer(await again.approval('waits'), 'proceed_once');
  expect(await again.line({ callId: 'waits' })).toMatchObject({ status: 'success' });
});

test('a grant whose sessions were all deleted is revoked too, and asks again [P6]', async ({ place }) => {
  const running = session(place, 's1');
  await write(running, 'a', 'proceed_always_and_save');
  running.end();
  await running.ended();
  expect(await place.run(['sessions', 'delete', 's1', '--yes'])).toMatchObject({ code: 0 });

  const id = await onlyGrant(place);
  expect(await grants(place, 'revoke', id)).toMatchObject({ code: 0 });
  expect(await grants(place, 'list')).toMatchObject({
    stderr: expect.stringContaining('There are no grants'),
  });
  const next = session(place, 's2');
  next.say(writeCall('b.txt', 'x\n', 'b'));
  await next.approval('b');
});

test('an id that no grant has is a clear refusal, and the others are revoked [P6]', async ({ place }) => {
  expect(await grants(place, 'revoke', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No active grant has the id "nobody"'),
  });
  expect(place.has('../home/countersign.db')).toBe(false);

  const running = session(place, 's1');
  await write(running, 'a', 'proceed_always');
  const id = await onlyGrant(place);
  const { code, lines } = await grants(place, 'revoke', 'nobody', id, id, '--json');
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { id: 'nobody', ok: false, error: { type: 'unknown_grant' } },
    { id, ok: true },
  ]);
  expect(await grants(place, 'revoke', id)).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
  for (const words of [[], ['revoke'], ['drop']]) expect((await grants(place, ...words)).code).toBe(2);
});
