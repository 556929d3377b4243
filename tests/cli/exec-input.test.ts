import { expect } from 'vitest';
import { asLines, errorOf, type Place, readCall, test, writeCall } from './program.js';

const exec = (place: Place, stdin: string, ...args: string[]) => place.run(['exec', ...args], { stdin });

test('a call is given as an argument, and so are several [C3]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const one = await place.run(['exec', '--json', JSON.stringify(readCall('a.txt', 'a'))]);
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.lines).toEqual([
    { callId: 'a', name: 'read_file', status: 'success', durationMs: expect.any(Number), output: 'hello\n' },
  ]);

  const several = [readCall('a.txt', 'b'), readCall('a.txt', 'c')].map((call) => JSON.stringify(call));
  const two = await place.run(['exec', ...several]);
  expect(two.lines.map(({ callId }) => callId)).toEqual(['b', 'c']);
});

test('calls come on stdin as lines, as a list on one line, and as a list over many [C3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const list = [readCall('a.txt', 'b'), readCall('a.txt', 'c')];
  const { code, lines } = await exec(
    place,
    asLines(
      readCall('a.txt', 'a'),
      list,
      JSON.stringify([readCall('a.txt', 'd'), readCall('a.txt', 'e')], null, 2),
    ),
  );
  expect(code).toBe(0);
  expect(lines.map(({ callId, output }) => [callId, output])).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((id) => [id, 'hello\n']),
  );
});

test('lines may end as on Windows, the last need not end at all, and empty ones do not count [C3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const [first, second] = [readCall('a.txt', 'a'), readCall('a.txt', 'b')].map((call) =>
    JSON.stringify(call),
  );
  const { code, lines } = await exec(place, `${first}\r\n\r\n\n${second}`);
  expect(code).toBe(0);
  expect(lines.map(({ callId }) => callId)).toEqual(['a', 'b']);
});

test('other line separators are text: U+2028 in a string arrives in the file [C3]', async ({ place }) => {
  const content = 'one\u2028two\u2029three\u0085four\n';
  const { code } = await exec(place, asLines(writeCall('a.txt', content)), '--yolo');
  expect(code).toBe(0);
  expect(place.read('a.txt')).toBe(content);
});

test('no input is no work, and that succeeds [C3]', async ({ place }) => {
  for (const nothing of ['', '\n\n', '[]\n']) {
    expect(await exec(place, nothing)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  }
});

test('a line that is no JSON is an error line in its place; the lines around it run, and the exit code is 1 [C3] [L3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const whole = JSON.stringify(readCall('a.txt', 'c'));
  const { code, lines } = await exec(
    place,
    asLines(
      readCall('a.txt', 'a'),
      'nonsense',
      '{bad',
      whole.slice(0, -1),
      readCall('a.txt', 'b'),
      '"text"',
      '[1]',
    ),
  );
  expect(code).toBe(1);
  expect(lines.map(({ callId, status }) => [callId, status])).toEqual([
    ['a', 'success'],
    [null, 'error'],
    [null, 'error'],
    [null, 'error'],
    ['b', 'success'],
    [null, 'error'],
    [null, 'error'],
  ]);
  expect(errorOf(lines[1])).toMatchObject({
    type: 'invalid_request',
    message: expect.stringContaining('input line 2: '),
    hint: 'Nothing was run. Correct the request and send it again.',
  });
  expect(errorOf(lines[3]).message).toContain('input line 4: ');
  expect(errorOf(lines[6]).message).toContain('call 1: a call is an object with "name" and "args"');
});

test('a list that is broken somewhere runs nothing, and the line after it runs [C3]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const broken = `[\n  ${JSON.stringify(readCall('a.txt', 'a'))}\n  ${JSON.stringify(readCall('a.txt', 'b'))}\n]`;
  const { code, lines } = await exec(place, asLines(broken, readCall('a.txt', 'c')));
  expect(code).toBe(1);
  expect(lines.map(({ callId, status }) => [callId, status])).toEqual([
    [null, 'error'],
    ['c', 'success'],
  ]);
});

test('the error for an invalid call names the field and the id of the call [C3] [L3]', async ({ place }) => {
  const { code, lines } = await exec(
    place,
    asLines(
      { id: 'a', name: 'read_file', colour: 1 },
      { callId: 'b', name: 3 },
      { id: 4 },
      { name: 'read_file', args: [] },
      { name: 'read_file', args: null },
      null,
      [{ name: 'read_file' }, { id: 'c', nmae: 'read_file' }],
    ),
  );
  expect(code).toBe(1);
  expect(
    lines.map((line) => [line['callId'], errorOf(line).message?.split(': ').slice(1).join(': ')]),
  ).toEqual([
    ['a', '"colour" is not known (known: id, callId, name, tool, args, prompt_id).'],
    ['b', '"name" must be a string.'],
    [null, '"id" must be a string.'],
    [null, '"args" must be an object.'],
    [null, '"args" must be an object.'],
    [null, 'a call is an object with "name" and "args".'],
    ['c', 'call 2: "nmae" is not known (known: id, callId, name, tool, args, prompt_id).'],
  ]);
});

test('an argument that is no JSON stops everything before anything has run [C3]', async ({ place }) => {
  const { code, stdout, stderr } = await place.run([
    'exec',
    '--yolo',
    JSON.stringify(writeCall('a.txt', 'x')),
    '{oops',
  ]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    `countersign: This is not JSON: {oops\n  Try: countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'\n`,
  );
  expect(place.has('a.txt')).toBe(false);
});

test('a run without a call leaves no session, and one with a call does [C1]', async ({ place }) => {
  const sessions = async () => (await place.run(['sessions', 'list', '--json'])).lines.length;
  expect((await place.run(['exec'])).code).toBe(0);
  await place.run(['exec', '--session', 'named'], { stdin: '\n' });
  await place.run(['exec'], { stdin: 'this is no JSON\n' });
  await place.run(['exec', '--approvals', 'stdio'], { stdin: '' });
  expect(await sessions()).toBe(0);
  await place.run(['exec'], { stdin: asLines(readCall('missing.txt')) });
  expect(await sessions()).toBe(1);
});
