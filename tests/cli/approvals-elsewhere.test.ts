import { expect } from 'vitest';
import { type Line, type Place, test, writeCall } from './program.js';

/** A program that waits with these calls, in a session of this id. */
async function waiting(place: Place, session: string, ...calls: readonly Line[]) {
  const running = place.start(['exec', '--approvals', 'wait', '--session', session, JSON.stringify(calls)]);
  for (const { id } of calls) await running.told(`countersign approvals answer ${session}/${String(id)} `);
  return running;
}

const approvals = (place: Place, ...args: string[]) => place.run(['approvals', ...args]);

test('what waits is listed from anywhere: briefly, in full, and as JSON [C4] [A1]', async ({ place }) => {
  const nothing = await approvals(place, 'list');
  expect(nothing).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^No approvals are pending/),
  });

  place.write('a.txt', 'old\n');
  await waiting(place, 's1', writeCall('a.txt', 'new\n', 'w'), writeCall('b.txt', 'x\n', 'x'));
  const brief = await approvals(place, 'list');
  expect(brief).toMatchObject({ code: 0, stdout: 's1/w  Write a.txt\ns1/x  Write b.txt (new file)\n' });

  const { stdout } = await approvals(place, 'list', '--verbose');
  const [first = ''] = stdout.split('\n\ns1/x');
  expect(first.split('\n')).toEqual([
    's1/w',
    '',
    'Write a.txt',
    `  File    │ ${place.workspace}/a.txt`,
    '  │ --- a/a.txt',
    '  │ +++ b/a.txt',
    '  │ @@ -1 +1 @@',
    '  │ -old',
    '  │ +new',
    '  Changes │ 1 line added, 1 line removed',
    '  Note    │ This session has not read this file.',
    expect.stringMatching(/^ {2}Why you are asked: Rule "editing" \(default-policy\.toml:\d+\) asks/),
    '  Apply this change?',
    '  proceed_once',
    '  proceed_always: edits of files inside the workspace, for this session',
    '  proceed_always_and_save: edits of files inside the workspace, in every session of this workspace',
    '  proceed_always --scope user: edits of files inside the workspace, in every session of every workspace',
    '  proceed_once --args JSON: with these arguments instead',
    '  cancel [--feedback TEXT]',
    '  cancel --stop: decline, and stop the agent',
    '  proceed_always…, each also with: --scope session | project | user, --expires 2h, --uses 3',
  ]);

  const { lines } = await approvals(place, 'list', '--json');
  expect(lines).toMatchObject([
    {
      id: 's1/w',
      sessionId: 's1',
      callId: 'w',
      tool: 'write_file',
      question: { confirmation: { type: 'edit' } },
    },
    { id: 's1/x' },
  ]);
});

test('an answer from another process is carried out by the one that waits [C4] [A5]', async ({ place }) => {
  const running = await waiting(place, 's1', writeCall('a.txt', 'x\n', 'w'), writeCall('b.txt', 'x\n', 'x'));
  const yes = await approvals(place, 'answer', 's1/w', 'proceed_once', '--by', 'anna');
  expect(yes).toMatchObject({ code: 0, stdout: '', stderr: 'Answered s1/w.\n' });
  const no = await approvals(place, 'answer', 'x', 'cancel', '--feedback', 'not this one', '--json');
  expect(no).toMatchObject({ code: 0, stderr: '' });
  expect(no.lines).toEqual([{ type: 'ack', id: 's1/x', ok: true }]);

  const { code, lines } = await running.ended();
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { callId: 'w', status: 'success', outcome: 'proceed_once' },
    {
      callId: 'x',
      status: 'cancelled',
      error: { message: 'User did not allow tool call: not this one' },
    },
  ]);
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['x\n', false]);
});

test('the first of two answers wins, the other is refused with who and when, and repeating it is harmless [A5]', async ({
  place,
}) => {
  const running = await waiting(place, 's1', writeCall('a.txt', 'x\n', 'w'));
  const answers = await Promise.all([
    approvals(place, 'answer', 's1/w', 'proceed_once', '--by', 'anna'),
    approvals(place, 'answer', 's1/w', 'cancel', '--by', 'bert'),
  ]);
  const winner = answers[0].code === 0 ? 'anna' : 'bert';
  expect(answers.map(({ code }) => code)).toEqual(winner === 'anna' ? [0, 1] : [1, 0]);
  const loser = answers.find(({ code }) => code === 1);
  expect(loser?.stderr).toMatch(new RegExp(`^Already answered by ${winner} at \\d{4}-\\S+Z with "`));
  const { lines } = await running.ended();
  expect(lines).toMatchObject([{ status: winner === 'anna' ? 'success' : 'cancelled' }]);
  expect(place.has('a.txt')).toBe(winner === 'anna');

  const outcome = winner === 'anna' ? 'proceed_once' : 'cancel';
  const again = await approvals(place, 'answer', 's1/w', outcome, '--by', winner);
  expect(again).toMatchObject({ code: 0, stderr: 's1/w already has this answer. Nothing more is needed.\n' });
});

test('an id must be known and unambiguous, and an outcome on offer [A5] [C1]', async ({ place }) => {
  const running = await waiting(place, 's1', writeCall('a.txt', 'x\n', 'w'));
  await waiting(place, 's2', writeCall('a.txt', 'y\n', 'w'));
  const refused = async (code: number, stderr: string, ...args: string[]) =>
    expect(await approvals(place, 'answer', ...args)).toMatchObject({ code, stdout: '', stderr });

  await refused(
    2,
    'countersign: "w" is the id of 2 approvals\n  Try: one of: s1/w, s2/w\n',
    'w',
    'proceed_once',
  );
  await refused(
    1,
    'countersign: No open call has the id "v".\n  List pending approvals with: countersign approvals list\n',
    'v',
    'proceed_once',
  );
  await refused(
    1,
    'No open call has the id "v".\n  List pending approvals with: countersign approvals list\n',
    's1/v',
    'proceed_once',
  );
  await refused(
    1,
    'countersign: No session has the id "s3".\n  Check the id and --store.\n',
    's3/w',
    'cancel',
  );
  await refused(
    1,
    '"proceed_always_tool" is not offered here. Offered: proceed_once, proceed_always, proceed_always_and_save, modify_with_editor, cancel.\n  Choose one of the offered outcomes.\n',
    's1/w',
    'proceed_always_tool',
  );
  await refused(
    1,
    'The question about "w" has changed: the answer is for another version of it.\n  Read the new question and answer that one.\n',
    's1/w',
    'proceed_once',
    '--digest',
    'stale',
  );
  expect(place.has('a.txt')).toBe(false);
  expect(await approvals(place, 'answer', 's1/w', 'proceed_once')).toMatchObject({ code: 0 });
  expect(await running.ended()).toMatchObject({ code: 0 });
});
