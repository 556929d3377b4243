import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { userSettings } from './hook-settings.js';
import { type Line, type Place, type Running, test, writeCall } from './program.js';

const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  type: 'choice',
  options: ['PostgreSQL', 'SQLite'].map((label) => ({ label, description: '' })),
};
const NAME = { question: 'What is it called?', header: 'Name', type: 'text' };
const ask = (...questions: readonly object[]): Line => ({ id: 'q', name: 'ask_user', args: { questions } });
const shell = (command: string): Line => ({ id: 'c', name: 'run_shell_command', args: { command } });

/** A process that waits with this call in the session `s`. */
async function waiting(place: Place, call: Line, ...more: readonly string[]): Promise<Running> {
  const running = place.start([
    'exec',
    '--approvals',
    'wait',
    '--session',
    's',
    ...more,
    JSON.stringify(call),
  ]);
  await running.told(`countersign approvals answer s/${String(call['id'])} `);
  return running;
}

const answer = (place: Place, ...args: readonly string[]) => place.run(['approvals', 'answer', ...args]);
const textOf = async (running: Running) => JSON.stringify((await running.ended()).lines);

test('an answer to ask_user carries answers; without them it is refused and the question stays open [A1] [C4]', async ({
  place,
}) => {
  const running = await waiting(place, ask(DATABASE, NAME));
  const refused = await answer(place, 's/q', 'proceed_once');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /needs an answer to: Database, Name\n.*--answer 'Database=…' --answer 'Name=…'/,
  );
  const partial = await answer(place, 's/q', 'proceed_once', '--answer', 'SQLite');
  expect(partial).toMatchObject({ code: 2, stderr: expect.stringContaining('needs an answer to: Name') });

  const given = ['--answer', 'Name=my app', '--answer', 'SQLite'];
  expect(await answer(place, 's/q', 'proceed_once', ...given)).toMatchObject({ code: 0 });
  const result = await textOf(running);
  expect(result).toContain(String.raw`Which database?\nAnswer: SQLite`);
  expect(result).toContain('Answer: my app');
});

test('answers can be JSON; one that does not fit is refused before it costs the call [A1] [C4]', async ({
  place,
}) => {
  const running = await waiting(place, ask(DATABASE, NAME));
  for (const [given, problem] of [
    ['{"Colour":"red"}', 'there is no question "Colour"'],
    ['["a","b","c"]', 'there are 3, and 2 questions'],
    ['{"Database":', '--answers is not JSON'],
    ['{}', 'needs an answer to: Database, Name'],
  ] as const)
    expect(await answer(place, 's/q', 'proceed_once', '--json', given)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  const done = await answer(place, 's/q', 'proceed_once', '--json', '{"Database":"sqlite","Name":7}');
  expect(done.lines).toEqual([{ type: 'ack', id: 's/q', ok: true }]);
  const result = await textOf(running);
  expect(result).toContain('Answer: SQLite');
  expect(result).toContain('Answer: 7');
});

test('a question of an MCP server is answered from the command line [M1] [C4]', async ({ place }) => {
  const requestedSchema = {
    type: 'object',
    properties: { city: { type: 'string' }, count: { type: 'integer' } },
    required: ['city', 'count'],
  };
  const program = join(root, 'tests/mcp/asking-server.mjs');
  const form = JSON.stringify({ message: 'Where?', requestedSchema });
  userSettings(place, { mcpServers: { asking: { command: process.execPath, args: [program, form] } } });
  const call = { id: 'm', name: 'mcp_asking_ask', args: {} };
  const how = ['--approvals', 'wait', '--session', 's', '--mode', 'yolo'];
  const running = place.start(['exec', ...how, JSON.stringify(call)]);
  await running.told('countersign approvals answer s/');
  const [row] = (await place.run(['approvals', 'list', '--json'])).lines;
  const id = String(row?.['id']);
  const refused = await answer(place, id, 'proceed_once');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs an answer to: city, count'),
  });
  const given = ['--answer', 'Bern', '--answer', '3'];
  expect(await answer(place, id, 'proceed_once', ...given)).toMatchObject({ code: 0 });
  const { lines } = await running.ended();
  const result = lines.find(({ callId }) => callId === 'm');
  expect(JSON.stringify(result)).toMatch(/city.*Bern.*count.*3/);
  // The question of the server is a call that nobody sent to exec, so it has no result line.
  expect(lines.flatMap(({ callId }) => callId ?? [])).toEqual(['m']);
});

test('changed arguments, a stop and feedback are sent; each belongs to its outcome [A3] [C4]', async ({
  place,
}) => {
  const running = await waiting(place, writeCall('a.txt', 'asked\n', 'w'));
  for (const [words, problem] of [
    [['cancel', '--args', '{}'], '--args does not belong to cancel'],
    [['proceed_once', '--feedback', 'x'], '--feedback does not belong to proceed_once'],
    [['proceed_once', '--uses', '1'], '--uses does not belong to proceed_once'],
    [['proceed_once', '--answer', 'x'], 'This question has no answers of its own'],
    [['proceed_once', '--args', '[1]'], '--args is not a JSON object'],
    [['modify_with_editor'], 'This command opens no editor'],
    [['proceed_always', '--expires', 'soon'], '"soon" is not a time'],
    [['proceed_always', '--expires', '2001-01-01'], '"2001-01-01" is not in the future'],
    [['proceed_always', '--uses', '0'], '"0" is not a number of uses'],
    [['proceed_always', '--scope', 'world'], '"world" is not a value of --scope'],
  ] as const)
    expect(await answer(place, 's/w', ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  const args = JSON.stringify({ file_path: 'a.txt', content: 'changed\n' });
  expect(await answer(place, 's/w', 'proceed_once', '--args', args)).toMatchObject({ code: 0 });
  expect(await running.ended()).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('changed\n');
});

test('only what the command can do is offered, also where an outcome is missing [A2] [C4]', async ({
  place,
}) => {
  await waiting(place, shell('git push origin main'));
  const { stdout } = await place.run(['approvals', 'list', '--verbose']);
  const missing = await answer(place, 's/c');
  for (const text of [stdout, missing.stderr]) {
    expect(text).toContain('proceed_always: exactly `git push origin main`, for this session');
    expect(text).toContain(
      'proceed_always --scope project: exactly `git push origin main`, in every session of this workspace',
    );
    expect(text).toContain('proceed_once --args JSON');
    expect(text).toContain('--scope session | project | user, --expires 2h, --uses 3');
    expect(text).not.toContain('modify_with_editor');
  }
  expect(missing.code).toBe(2);
});

test('a grant can be given to every workspace, for a time and a number of uses [P6] [C4]', async ({
  place,
}) => {
  const running = await waiting(place, shell('make -n'));
  const limits = ['--scope', 'user', '--expires', '2h', '--uses', '3'];
  const before = Date.now();
  expect(await answer(place, 's/c', 'proceed_always', ...limits)).toMatchObject({ code: 0 });
  await running.ended();
  const { lines } = await place.run(['grants', 'list', '--json']);
  expect(lines).toMatchObject([{ scope: 'user', scopeKey: '', uses: 3, text: 'exactly `make -n`' }]);
  const expiresAt = Number(lines[0]?.['expiresAt']) - before;
  expect(expiresAt).toBeGreaterThanOrEqual(7_200_000);
  expect(expiresAt).toBeLessThan(7_260_000);

  place.write('../other/Makefile', 'all:\n');
  const other = await place.run(['exec', JSON.stringify(shell('make -n'))], {
    cwd: join(place.directory, 'other'),
  });
  expect(other.lines[0]).not.toMatchObject({ error: { type: 'approval_needed' } });
  expect((await place.run(['grants', 'list', '--json'])).lines).toMatchObject([{ uses: 2 }]);
});

test('other answers than the first are not applied, and the same ones are recognised [A5] [C4]', async ({
  place,
}) => {
  const running = await waiting(place, ask(DATABASE, NAME));
  const given = ['--by', 'ann', '--answer', 'Name=my app', '--answer', 'SQLite'];
  expect(await answer(place, 's/q', 'proceed_once', ...given)).toMatchObject({ code: 0 });
  await running.ended();
  const same = await answer(place, 's/q', 'proceed_once', ...given);
  expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('already has this answer') });
  for (const others of [
    ['--answer', 'PostgreSQL', '--answer', 'x'],
    ['--answers', '{"Name":"y"}'],
    ['--answer', 'of no question at all'],
  ]) {
    const refused = await answer(place, 's/q', 'proceed_once', '--by', 'ann', ...others);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Not applied: the answers to its questions.'),
    });
    expect(refused.stderr).not.toContain('Nothing more is needed');
  }
});
