import { expect } from 'vitest';
import { asLines, errorOf, readCall, TEST_TOOLS, test, writeCall } from './program.js';

test('`tool` is an alias of `name`, `callId` of `id`, and missing ids are generated [C3] [L2]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const { code, lines } = await place.run(['exec'], {
    stdin: asLines(
      { callId: 'a', tool: 'read_file', args: { file_path: 'a.txt' } },
      readCall('a.txt'),
      { id: 'b', args: {} },
      {},
    ),
  });
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { callId: 'a', name: 'read_file', status: 'success' },
    { callId: expect.stringMatching(/^read_file-\d+-[0-9a-f]+$/), name: 'read_file', status: 'success' },
    { callId: 'b', name: 'undefined_tool_name', status: 'error' },
    { callId: expect.stringMatching(/^undefined_tool_name-\d+-[0-9a-f]+$/), status: 'error' },
  ]);
});

test('common misnamings of tools and arguments are understood, and results carry the real names [T3]', async ({
  place,
}) => {
  place.write('a.txt', 'one\ntwo\nthree\n');
  const { code, lines } = await place.run(['exec', '--mode', 'auto_edit'], {
    stdin: asLines([
      { id: 'a', name: 'cat', args: { path: 'a.txt', offset: 1, limit: 1 } },
      { id: 'b', name: 'ls', args: { path: '.' } },
      { id: 'c', name: 'edit', args: { path: 'b.txt', new_content: 'new\n' } },
    ]),
  });
  expect(code).toBe(0);
  expect(lines.map(({ callId, name }) => [callId, name])).toEqual([
    ['a', 'read_file'],
    ['b', 'list_directory'],
    ['c', 'write_file'],
  ]);
  expect(lines[0]?.['output']).toContain('two\n');
  expect(place.read('b.txt')).toBe('new\n');
});

test('an unknown tool, bad arguments and a repeated id are errors of those calls alone [L2] [L3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const { code, lines } = await place.run(['exec'], {
    stdin: asLines([
      { id: 'a', name: 'read_flie', args: { file_path: 'a.txt' } },
      { id: 'b', name: 'read_file', args: { file_path: 3, colour: 'red' } },
      readCall('a.txt', 'c'),
      readCall('a.txt', 'c'),
      readCall('b.txt', 'd'),
    ]),
  });
  expect(code).toBe(1);
  expect(lines.map(({ callId, status }) => [callId, status])).toEqual([
    ['a', 'error'],
    ['b', 'error'],
    ['c', 'success'],
    ['c', 'error'],
    ['d', 'error'],
  ]);
  expect(errorOf(lines[0])).toMatchObject({
    type: 'tool_not_registered',
    message: 'Tool "read_flie" not found in registry. Did you mean "read_file"?',
  });
  expect(errorOf(lines[1]).type).toBe('invalid_tool_params');
  expect(errorOf(lines[1]).message).toContain('"file_path"');
  expect(errorOf(lines[1]).message).toContain('"colour"');
  expect(errorOf(lines[3]).type).toBe('duplicate_call_id');
  expect(errorOf(lines[4]).message).toBe('b.txt does not exist. Did you mean "a.txt"?');
});

test('results are printed in request order, even if a later call ends first [S1]', async ({ place }) => {
  const stamp = (id: string, ms: number) => ({ id, name: 'stamp', args: { ms } });
  const { code, lines } = await place.run(['exec', '--tools', TEST_TOOLS], {
    stdin: asLines([stamp('a', 120), stamp('b', 0), stamp('c', 60)], stamp('d', 0)),
  });
  expect(code).toBe(0);
  expect(lines.map(({ callId }) => callId)).toEqual(['a', 'b', 'c', 'd']);
  const [a, b] = lines.map(({ output }) => output as { readonly began: number; readonly ended: number });
  expect(b?.ended).toBeLessThan(a?.ended ?? 0);
});

test('by default a granted call starts while its sibling waits; with --start together none does [S3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const batch = [readCall('a.txt', 'r'), writeCall('b.txt', 'new\n', 'w')];
  const held = place.start(['exec', '--approvals', 'stdio', '--start', 'together', '--events']);
  const free = place.start(['exec', '--approvals', 'stdio']);
  held.say(batch);
  free.say(batch);

  await free.line({ callId: 'r', status: 'success' });
  const question = await held.approval('w');
  expect(JSON.stringify(held.lines)).toContain('"type":"call.granted","callId":"r"');
  expect(JSON.stringify(held.lines)).not.toContain('call.started');
  held.answer(question, 'proceed_once');
  held.end();
  const { code, lines } = await held.ended();
  expect(code).toBe(0);
  expect(lines.filter(({ status }) => status === 'success').map(({ callId }) => callId)).toEqual(['r', 'w']);
});

test('--events prints every event as it happens, with its number [C3]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const { code, lines } = await place.run(['exec', '--events', JSON.stringify(readCall('a.txt', 'a'))]);
  expect(code).toBe(0);
  const events = lines.filter(({ type }) => type === 'event');
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events.map(({ event }) => (event as { readonly type: string }).type)).toEqual([
    'session.opened',
    'policy.loaded',
    'turn.started',
    'call.requested',
    'turn.sealed',
    'call.planned',
    'call.granted',
    'call.started',
    'call.succeeded',
    'turn.ended',
  ]);
  expect(lines.filter(({ type }) => type === undefined)).toMatchObject([{ callId: 'a', status: 'success' }]);
});
