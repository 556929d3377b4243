import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, FakeModel, overStdio, prompt, says, text } from './headless-model.js';
import { type Line, type Place, test, writeCall } from './program.js';
import { inTerminal } from './terminal.js';

const sessions = (place: Place, ...args: string[]) => place.run(['sessions', ...args]);
const exported = async (place: Place, id: string): Promise<readonly Line[]> =>
  (await sessions(place, 'export', id)).lines.slice(1);
const typesOf = (lines: readonly Line[]) => lines.map(({ event }) => (event as Line)['type']);

/** Messages of a copy name the session in which their tokens are counted. */
const markedAsCopied = (line: Line): Line => {
  const event = line['event'] as Line;
  return event['type'] === 'message.added' ? { ...line, event: { ...event, forkedFrom: 'first' } } : line;
};

/** Two turns with calls, then an answer. The second call is granted for the rest of the session. */
async function worked(place: Place): Promise<FakeModel> {
  place.write('a.txt', 'one\n');
  const model = await FakeModel.start(
    says(text('Reading.'), call('read_file', { file_path: 'a.txt' }, 'r1')),
    says(text('Writing.'), call('write_file', { file_path: 'b.txt', content: 'x' }, 'w1')),
    says(text('Done.')),
  );
  const running = model.start(place, overStdio('copy it', '--session', 'first'));
  running.answer(await running.approval('w1'), 'proceed_always');
  running.end();
  expect((await running.ended()).code).toBe(0);
  return model;
}

test('a fork ends with the turn of a call, pairs each call with one result, and continues on its own [J3]', async ({
  place,
}) => {
  await worked(place);
  const before = await exported(place, 'first');
  expect(typesOf(before)).toContain('grant.added');

  const { code, stdout, stderr } = await sessions(
    place,
    'fork',
    'first',
    '--at',
    'r1',
    '--session',
    'second',
  );
  expect([code, stdout]).toEqual([0, 'second\n']);
  expect(stderr).toContain('2 messages and 1 call of first');
  expect(stderr).toContain('countersign --resume second -p');
  const copied = await exported(place, 'second');
  expect(copied).toEqual(before.slice(0, copied.length).map(markedAsCopied));
  expect(typesOf(copied).at(-1)).toBe('turn.ended');
  expect(await exported(place, 'first'), 'the one it was made of is as it was').toEqual(before);

  const model = await FakeModel.start(
    says(call('write_file', { file_path: 'c.txt', content: 'y' }, 'w1')),
    says(text('Asked again.')),
  );
  const running = model.start(place, overStdio('now write', '--resume', 'second'));
  // What was allowed permanently in the other session is asked about in this one.
  running.answer(await running.approval('w1'), 'proceed_once');
  running.end();
  expect((await running.ended()).code).toBe(0);
  expect(
    model.contents(0).map(({ role, parts }) => [role, parts.map((part) => Object.keys(part)[0])]),
  ).toEqual([
    ['user', ['text']],
    ['model', ['text', 'functionCall']],
    ['user', ['functionResponse', 'text']],
  ]);
  const { lines } = await place.run(['stats', '--json']);
  expect(lines[0], 'a call is counted where it happened').toMatchObject({ all: { calls: 3 } });
});

test('the tokens of what a fork was copied from are counted once, also in a fork of it [J3] [G2]', async ({
  place,
}) => {
  await worked(place);
  await sessions(place, 'fork', 'first', '--session', 'second');
  await sessions(place, 'fork', 'second', '--session', 'third');
  const total = async () => (await place.run(['stats', '--json'])).lines[0];
  const three = { requests: 3, inputTokens: 300, outputTokens: 30 };
  expect(await total()).toMatchObject({ byModel: [three] });

  const { lines: listed } = await sessions(place, 'list', '--json');
  const spendingOf = (id: string) => listed.find((line) => line['id'] === id)?.['spending'];
  expect(spendingOf('first')).toMatchObject(three);
  expect([spendingOf('second'), spendingOf('third')]).toEqual([null, null]);

  const model = await FakeModel.start(says(text('More.')));
  // The limit is for this session: what its source took does not count towards it.
  const ran = await model.run(place, prompt('go on', '--resume', 'third', '--max-tokens', '250'));
  expect(ran).toMatchObject({ code: 0, stdout: 'More.\n' });
  expect(await total()).toMatchObject({ byModel: [{ requests: 4, inputTokens: 400, outputTokens: 40 }] });
});

test('a fork is made at a message, at the end, or not at all where a turn is not over [J3]', async ({
  place,
}) => {
  await worked(place);
  const count = async (...args: string[]) => {
    const { lines } = await sessions(place, 'fork', 'first', '--json', ...args);
    return [lines[0]?.['messages'], lines[0]?.['calls']];
  };
  expect(await count('--at-message', '1')).toEqual([1, 0]);
  expect(await count('--at-message', '3')).toEqual([3, 2]);
  expect(await count()).toEqual([4, 2]);
  const nowhere = await sessions(place, 'fork', 'first', '--at', 'nothing');
  expect(nowhere).toMatchObject({ code: 2, stdout: '' });
  expect(nowhere.stderr).toContain('first has no call "nothing"');
  expect((await sessions(place, 'fork', 'first', '--session', 'first')).stderr).toContain(
    'The session first already',
  );

  const open = place.start(['exec', '--approvals', 'stdio', '--session', 'open']);
  open.say({ id: 'r1', name: 'read_file', args: { file_path: 'a.txt' } });
  await open.line({ callId: 'r1' });
  open.say(writeCall('d.txt', 'x', 'd1'));
  await open.approval('d1');
  expect((await sessions(place, 'fork', 'open', '--at', 'd1')).stderr).toContain('has not ended');
  const { lines } = await sessions(place, 'fork', 'open', '--json');
  expect(lines[0]).toMatchObject({ calls: 1 });
  const approvals = await place.run(['approvals', 'list', '--json']);
  expect(
    approvals.lines.map(({ sessionId }) => sessionId),
    'what waits is not copied',
  ).toEqual(['open']);
});

test('files of a call are copied with it, and deleted with its session [J3]', async ({ place }) => {
  const outputs = (id: string) => join(place.home, 'outputs', id);
  const long = { id: 'long', name: 'run_shell_command', args: { command: 'seq 1 40000' } };
  await place.run(['exec', '--yolo', '--session', 'big', JSON.stringify(long)]);
  expect(readdirSync(outputs('big'))).toEqual(['1-0']);
  await sessions(place, 'fork', 'big', '--session', 'copy');
  const [kept] = readdirSync(join(outputs('big'), '1-0'));
  const same = (id: string) => readFileSync(join(outputs(id), '1-0', String(kept)), 'utf8');
  expect(same('copy')).toBe(same('big'));

  expect(await sessions(place, 'delete', 'big', '--yes')).toMatchObject({
    code: 0,
    stderr: 'Deleted big.\n',
  });
  expect(existsSync(outputs('big'))).toBe(false);
  expect(existsSync(outputs('copy'))).toBe(true);
});

test('an export has a header line and every event, and is deterministic [J3]', async ({ place }) => {
  await worked(place);
  const { stdout, lines } = await sessions(place, 'export', 'first');
  expect(lines[0]).toMatchObject({
    type: 'countersign-session',
    version: 1,
    sessionId: 'first',
    workspace: place.workspace,
    facts: lines.length - 1,
  });
  expect(lines.slice(1).map(({ seq }) => seq)).toEqual(lines.slice(1).map((_, index) => index));
  const file = await sessions(place, 'export', 'first', '--output', 'out.jsonl');
  expect(file).toMatchObject({ code: 0, stdout: '' });
  expect(place.read('out.jsonl')).toBe(stdout);
  expect(statSync(join(place.workspace, 'out.jsonl')).mode & 0o777).toBe(0o600);
  const again = await sessions(place, 'export', 'first', '-o', 'out.jsonl');
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain('the file already exists');
});

test('delete removes a session, but not one that a process owns, and no other session [J3]', async ({
  place,
}) => {
  await worked(place);
  const model = await FakeModel.start(says(text('Hi.')));
  await model.run(place, prompt('hello', '--session', 'other'));
  const before = await exported(place, 'other');
  const busy = place.start(['exec', '--approvals', 'stdio', '--session', 'busy']);
  busy.say(writeCall('c.txt', 'x', 'c1'));
  await busy.approval('c1');

  const { code, lines } = await sessions(place, 'delete', 'first', 'busy', 'first', '--yes', '--json');
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { type: 'ack', id: 'first', ok: true },
    { type: 'ack', id: 'busy', ok: false, error: { type: 'session_owned' } },
  ]);
  expect((await sessions(place, 'list', '--json')).lines.map(({ id }) => String(id)).toSorted()).toEqual([
    'busy',
    'other',
  ]);
  expect((await sessions(place, 'show', 'first')).code).toBe(1);
  expect((await place.run(['grants', 'list'])).stderr, 'what was granted for it is gone, too').toContain(
    'There are no grants',
  );
  expect(await exported(place, 'other')).toEqual(before);
  busy.answer(await busy.approval('c1'), 'proceed_once');
  expect(await busy.line({ callId: 'c1' })).toMatchObject({ status: 'success' });
});

test('deleting asks first, and anything but a yes deletes nothing [J3]', async ({ place }) => {
  await place.run(['exec', '--session', 'one', '{"name":"list_directory","args":{"dir_path":"."}}']);
  const deleting = (typed: string, shown: string) =>
    inTerminal(place, ['sessions', 'delete', 'one'], async (terminal) => {
      await terminal.shows('Delete the session one and everything stored for it permanently? [y/N]');
      terminal.type(typed);
      await terminal.shows(shown);
    });
  await deleting('', 'Nothing was deleted.');
  expect((await sessions(place, 'show', 'one')).code).toBe(0);
  await deleting('y', 'Deleted one.');
  expect((await sessions(place, 'show', 'one')).code).toBe(1);
});
