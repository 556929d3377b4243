import { until } from '@countersign/testkit';
import { expect } from 'vitest';
import { stallsAfter } from '../../packages/models/src/testing/wire-server.js';
import { call, FakeModel, overStdio, prompt, says, text } from './headless-model.js';
import { type Place, test, writeCall } from './program.js';

const sessions = (place: Place, ...args: string[]) => place.run(['sessions', ...args]);

/** A conversation in which a call is read, one is declined, and one fails. */
async function conversation(place: Place, id: string): Promise<void> {
  place.write('a.txt', 'first\nsecond\n');
  const model = await FakeModel.start(
    says(text('I look first.'), call('read_file', { file_path: 'a.txt' }, 'r1')),
    says(
      call('write_file', { file_path: 'b.txt', content: 'x' }, 'w1'),
      call('read_file', { file_path: 'no.txt' }, 'r2'),
    ),
    says(text('You did not want that.')),
  );
  const running = model.start(place, overStdio('Please write "b.txt" for me', '--session', id));
  running.answer(await running.approval('w1'), 'cancel', { payload: { feedback: 'not today' }, by: 'anna' });
  running.end();
  expect((await running.ended()).code).toBe(0);
}

test('a session that is only open is idle in its process, and one whose model is at work is not [J3]', async ({
  place,
}) => {
  const quiet = place.start(['exec', '--approvals', 'stdio', '--session', 'quiet']);
  quiet.say(writeCall('c.txt', 'x', 'c1'));
  quiet.answer(await quiet.approval('c1'), 'proceed_once');
  const model = await FakeModel.start(stallsAfter(''));
  const asking = model.start(place, overStdio('go', '--session', 'asking'));
  await until(() => model.server.received.length > 0, 'a request');
  const list = async () => (await sessions(place, 'list')).stdout;
  const idle = `idle, open in process ${quiet.pid}`;
  await expect.poll(list, { timeout: 20_000 }).toContain(idle);
  expect(await list()).toContain(`working in process ${asking.pid}`);
  asking.signal('SIGKILL');
  quiet.end();
  await Promise.all([asking.ended(), quiet.ended()]);
});

test('sessions of this folder are listed with prompt, result and owner [J3]', async ({ place }) => {
  expect(await sessions(place, 'list')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'There are no sessions yet.\n',
  });
  expect(place.has('../home/countersign.db'), 'looking makes no store').toBe(false);

  await conversation(place, 'talk');
  const waiting = place.start(['exec', '--approvals', 'stdio', '--session', 'busy']);
  waiting.say(writeCall('c.txt', 'x', 'c1'));
  await waiting.approval('c1');

  const { stdout, code } = await sessions(place, 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^busy {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}working in process ${waiting.pid}, 1 question is pending\n {2}manual, 1 call\n` +
        'talk {2}.{16} {2}idle\n {2}manual, 3 calls, 300 tokens in, 30 out, \\$0\\.\\d{4}\n {2}> Please write "b\\.txt" for me\n$',
    ),
  );
  const { lines } = await sessions(place, 'list', '--json');
  expect(lines).toMatchObject([
    { id: 'busy', status: 'working', pid: waiting.pid, questions: 1, prompt: null, spending: null },
    {
      id: 'talk',
      status: 'idle',
      pid: null,
      mode: 'manual',
      workspace: place.workspace,
      prompt: 'Please write "b.txt" for me',
      calls: 3,
      spending: { requests: 3, inputTokens: 300, outputTokens: 30 },
    },
  ]);

  waiting.end();
  await waiting.ended();
  expect((await sessions(place, 'list')).stdout).toContain('  1 question is pending\n');
  const elsewhere = await place.run(['sessions', 'list'], { cwd: place.directory });
  expect(elsewhere.stderr).toContain('countersign sessions list --all');
  const all = await place.run(['sessions', 'list', '--all'], { cwd: place.directory });
  expect(all.stdout).toContain(`  in ${place.workspace}\n`);
});

test('a session is shown with messages, calls, results, who decided and why [J3]', async ({ place }) => {
  await conversation(place, 'talk');
  const { stdout, code } = await sessions(place, 'show', 'talk');
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((row) => row.length > 80)).toEqual([]);
  const order = [
    'Session talk in ',
    'Please write "b.txt" for me',
    'I look first.',
    'done      read_file: Read a.txt',
    'Allowed: Rule "reading"',
    'declined  write_file: Write b.txt (new file)',
    'Declined by anna after',
    ': not today',
    'failed    read_file: Read no.txt',
    '| no.txt does not exist.',
    'You did not want that.',
  ];
  const places = order.map((words) => stdout.indexOf(words));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);

  const { lines } = await sessions(place, 'show', 'talk', '--json');
  expect(lines.map(({ type, id }) => `${type} ${id}`)).toEqual([
    'session talk',
    'user m1',
    'text m2.0',
    'call c1.0',
    'call c2.0',
    'call c2.1',
    'text m4.0',
  ]);
  expect(lines[4]).toMatchObject({
    title: 'Write b.txt (new file)',
    call: { status: 'cancelled', reason: { by: 'anna', feedback: 'not today' } },
    verdict: { decision: 'ask_user' },
  });
});

test('nothing of a conversation acts on the terminal that it is shown in [A7]', async ({ place }) => {
  const model = await FakeModel.start(says(text('\u001b]0;owned\u0007 and \u001b[2Jcleared')));
  await model.run(place, prompt('hello \u001b[31m', '--session', 'evil'));
  for (const args of [['list'], ['show', 'evil']]) {
    const { stdout } = await sessions(place, ...args);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('\\x1b');
  }
});

test('resume prints how to continue, and resumes pending calls [J3]', async ({ place }) => {
  const idle = await place.run([
    'exec',
    '--session',
    'done',
    '{"name":"list_directory","args":{"dir_path":"."}}',
  ]);
  expect(idle.code).toBe(0);
  const nothing = await sessions(place, 'resume', 'done');
  expect(nothing).toMatchObject({ code: 0, stdout: '' });
  expect(nothing.stderr).toContain('countersign --resume done -p');

  const first = place.start(['exec', '--approvals', 'stdio', '--session', 'open']);
  first.say(writeCall('c.txt', 'x', 'c1'));
  await first.approval('c1');
  expect((await sessions(place, 'resume', 'open')).stderr).toContain(`in use by process ${first.pid}`);
  first.end();
  await first.ended();
  const again = place.start(['sessions', 'resume', 'open', '--approvals', 'stdio']);
  again.answer(await again.approval('c1'), 'proceed_once');
  expect(await again.line({ callId: 'c1' })).toMatchObject({ status: 'success' });
  again.end();
  const { code, stderr } = await again.ended();
  expect(code).toBe(0);
  expect(stderr).toContain('countersign --resume open -p');
  expect(place.read('c.txt')).toBe('x');
});

test('an invalid command line reports what was not understood and what to do next [C1]', async ({
  place,
}) => {
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [['sessions'], 2, 'sessions needs a subcommand'],
    [['sessions', 'toString'], 2, 'list | show | resume | fork | export | delete'],
    [['sessions', 'show'], 2, 'countersign sessions list'],
    [['sessions', 'show', 'a', 'b'], 2, 'one session'],
    [['sessions', 'show', 'nobody'], 1, 'No session has the id "nobody"'],
    [['sessions', 'export', 'nobody'], 1, 'No session has the id "nobody"'],
    [['sessions', 'fork', 'nobody'], 1, 'No session has the id "nobody"'],
    [['sessions', 'fork', 'x', '--at-message', 'two'], 2, '"two" is not the number of a message'],
    [['sessions', 'delete'], 2, 'Which session'],
    [['sessions', 'delete', 'nobody'], 2, 'There is no terminal to ask in'],
    [['sessions', 'delete', 'nobody', '--yes'], 1, 'No session has the id "nobody"'],
    [['attach'], 2, 'attach needs the id of one session'],
    [['attach', 'nobody'], 1, 'No session has the id "nobody"'],
    [['stats', '--days', '-1'], 2, '--days'],
    [['stats', '--session', 'nobody'], 1, 'No session has the id "nobody"'],
  ];
  const ran = await Promise.all(cases.map(([args]) => place.run(args)));
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    const [args = [], wanted, words = ''] = cases[index] ?? [];
    expect([args, code, stdout]).toEqual([args, wanted, '']);
    expect(stderr).toContain(words);
  }
  expect(place.has('../home/countersign.db')).toBe(false);
});
