import { expect } from 'vitest';
import { asLines, errorOf, type Place, readCall, test, writeCall } from './program.js';

const talk = (place: Place, ...args: string[]) => place.start(['exec', '--approvals', 'stdio', ...args]);

test('a question is complete plain data, and a yes writes what was shown [C4] [A1] [A2] [T4]', async ({
  place,
}) => {
  place.write('a.txt', 'one\ntwo\n');
  const talking = talk(place, '--session', 's1');
  talking.say(writeCall('a.txt', 'one\nthree\n', 'w'));
  const question = await talking.approval('w');
  expect(question).toMatchObject({
    sessionId: 's1',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    kind: 'edit',
    details: {
      type: 'edit',
      fileName: 'a.txt',
      filePath: `${place.workspace}/a.txt`,
      fileDiff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n',
      originalContent: 'one\ntwo\n',
      newContent: 'one\nthree\n',
      diffStat: { added: 1, removed: 1 },
    },
    outcomes: ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'modify_with_editor', 'cancel'],
    tool: 'write_file',
    why: expect.stringContaining('default-policy.toml:'),
  });
  expect(place.read('a.txt')).toBe('one\ntwo\n');
  talking.answer(question, 'proceed_once');
  talking.end();

  const { code, lines } = await talking.ended();
  expect(code).toBe(0);
  expect(lines.slice(1)).toMatchObject([
    { type: 'ack', id: 'w', ok: true },
    { callId: 'w', status: 'success', outcome: 'proceed_once' },
  ]);
  expect(place.read('a.txt')).toBe('one\nthree\n');
});

test('a no leaves the file untouched, and the model receives the reason [C4] [L5]', async ({ place }) => {
  place.write('a.txt', 'old\n');
  const talking = talk(place);
  talking.say([writeCall('a.txt', 'new\n', 'w'), writeCall('b.txt', 'new\n', 'x'), readCall('a.txt', 'r')]);
  talking.answer(await talking.approval('w'), 'cancel', { payload: { feedback: 'keep it as it is' } });
  talking.answer(await talking.approval('x'), 'cancel');
  talking.end();

  const { code, lines } = await talking.ended();
  expect(code).toBe(1);
  expect(lines.filter(({ status }) => status)).toMatchObject([
    {
      callId: 'w',
      status: 'cancelled',
      outcome: 'cancel',
      error: { type: 'declined', message: 'User did not allow tool call: keep it as it is' },
    },
    { callId: 'x', status: 'cancelled', error: { message: 'User did not allow tool call' } },
    { callId: 'r', status: 'success', output: 'old\n' },
  ]);
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['old\n', false]);
});

test('what is no answer to the question as shown is refused with a reason, and the question still waits [A3] [A5] [C4]', async ({
  place,
}) => {
  const talking = talk(place, '--session', 's1');
  talking.say(writeCall('a.txt', 'x\n', 'w'));
  const question = await talking.approval('w');
  const { digest } = question;
  const answer = { type: 'answer', id: 'w', digest, outcome: 'proceed_once' };
  const refused = async (said: unknown, type: string) => {
    const from = talking.lines.length;
    talking.say(said);
    const { ok, error } = await talking.line({ type: 'ack' }, from);
    expect([ok, (error as { type: string }).type]).toEqual([false, type]);
  };
  await refused({ ...answer, digest: 'stale' }, 'question_changed');
  await refused({ ...answer, id: 'nobody' }, 'unknown_call');
  await refused({ ...answer, id: 's2/w' }, 'unknown_call');
  await refused({ ...answer, outcome: 'proceed_always_server' }, 'outcome_not_offered');
  await refused({ ...answer, outcome: 'modify_with_editor' }, 'invalid_answer');
  await refused({ ...answer, outcome: 'proceed_always', payload: { uses: 0 } }, 'invalid_answer');

  const misshapen: readonly (readonly [unknown, string])[] = [
    [{ ...answer, id: undefined }, 'an answer needs "id"'],
    [{ ...answer, digest: 1 }, 'an answer needs "digest"'],
    [{ ...answer, outcome: 'yes' }, 'an answer needs "outcome", one of proceed_once'],
    [{ ...answer, payload: [] }, '"payload" must be an object'],
    [{ ...answer, payload: { feedback: 42 } }, '"payload.feedback" is of the wrong type'],
    [{ ...answer, payload: { newcontent: '' } }, '"payload.newcontent" is not known'],
    [{ ...answer, by: 3 }, '"by" must be a string'],
  ];
  for (const [said, problem] of misshapen) {
    const from = talking.lines.length;
    talking.say(said);
    expect(errorOf(await talking.line({ status: 'error' }, from)).message).toContain(problem);
  }
  expect(place.has('a.txt')).toBe(false);

  talking.say({ ...answer, id: 's1/w' });
  talking.end();
  const { code, lines } = await talking.ended();
  expect(lines.at(-1)).toMatchObject({ callId: 'w', status: 'success' });
  // Every call succeeded, but not all that was said was understood.
  expect(code).toBe(1);
  expect(place.read('a.txt')).toBe('x\n');
  // What was said is still readable: nothing of the wrong type got into the journal.
  expect(await place.run(['exec', '--resume', 's1', '[]'])).toMatchObject({ code: 0, stderr: '' });
});

test('a repeated answer is acknowledged, a different one is refused with the name of the first [A5]', async ({
  place,
}) => {
  const talking = talk(place);
  talking.say([writeCall('a.txt', 'x\n', 'w'), writeCall('b.txt', 'y\n', 'x')]);
  const question = await talking.approval('w');
  await talking.approval('x');
  talking.answer(question, 'proceed_once', { by: 'anna', key: 'k1' });
  talking.answer(question, 'proceed_once', { by: 'anna', key: 'k1' });
  talking.answer(question, 'cancel', { by: 'bert' });
  talking.end();
  const { lines } = await talking.ended();
  expect(lines.filter(({ type }) => type === 'ack')).toMatchObject([
    { id: 'w', ok: true },
    { id: 'w', ok: true, repeated: true },
    {
      id: 'w',
      ok: false,
      error: {
        type: 'already_answered',
        message: expect.stringMatching(
          /^Already answered by anna at \d{4}-\S+Z with "proceed_once"\. Not applied: the outcome "cancel"\.$/,
        ),
      },
    },
  ]);
  expect(lines.filter(({ type }) => type === 'ack')[0]).not.toHaveProperty('repeated');
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['x\n', false]);
});

test('"always" lets later edits pass, of this batch and of the next, but none outside [A2] [C4] [P5]', async ({
  place,
}) => {
  const talking = talk(place);
  talking.say([writeCall('a.txt', '1\n', 'a'), writeCall('b.txt', '2\n', 'b')]);
  const question = await talking.approval('a');
  await talking.approval('b');
  expect(question['offers']).toContainEqual({
    outcome: 'proceed_always',
    grant: {
      pattern: { kind: 'edits' },
      scope: 'session',
      scopes: ['session', 'project', 'user'],
      text: 'edits of files inside the workspace, for this session',
    },
  });
  talking.answer(question, 'proceed_always');
  await talking.line({ callId: 'b', status: 'success' });

  talking.say([writeCall('c.txt', '3\n', 'c'), writeCall('../d.txt', '4\n', 'd')]);
  await talking.line({ callId: 'c', status: 'success' });
  const outside = await talking.approval('d');
  expect(outside['outcomes']).toEqual(['proceed_once', 'modify_with_editor', 'cancel']);
  talking.answer(outside, 'cancel');
  talking.end();
  const { lines } = await talking.ended();
  const asked = lines.filter(({ type }) => type === 'approval').map(({ id }) => String(id));
  expect(asked.toSorted((one, other) => one.localeCompare(other))).toEqual(['a', 'b', 'd']);
  expect(['a.txt', 'b.txt', 'c.txt', '../d.txt'].map(place.has)).toEqual([true, true, true, false]);
});

test('"always and save" holds in the next session of the workspace, and in no other workspace [A2] [C4]', async ({
  place,
}) => {
  place.write('other/keep', '');
  const talking = talk(place);
  talking.say(writeCall('a.txt', '1\n', 'a'));
  talking.answer(await talking.approval('a'), 'proceed_always_and_save');
  talking.end();
  await talking.ended();

  const later = JSON.stringify(writeCall('b.txt', '2\n'));
  expect(await place.run(['exec', later])).toMatchObject({ code: 0 });
  expect(await place.run(['exec', '--workspace', 'other', later])).toMatchObject({ code: 1 });
});

test('answers and calls may arrive together: no early answer is lost [C4]', async ({ place }) => {
  const talking = talk(place);
  talking.say(writeCall('a.txt', 'x\n', 'w'));
  const question = await talking.approval('w');
  const { id, digest } = question;
  talking.end(asLines({ type: 'answer', id, digest, outcome: 'proceed_once' }, readCall('a.txt', 'r')));
  const { code, lines } = await talking.ended();
  expect(code).toBe(0);
  expect(lines.slice(-2)).toMatchObject([
    { callId: 'w', status: 'success' },
    { callId: 'r', status: 'success', output: 'x\n' },
  ]);
});

test('a plan is agreed to, or not, in the words of Gemini CLI [C4] [A1]', async ({ place }) => {
  place.write('.countersign/plans/p.md', '# The plan\n');
  const answered = async (payload: object) => {
    const talking = talk(place, '--mode', 'plan');
    talking.say({ id: 'x', name: 'exit_plan_mode', args: { plan_filename: 'p.md' } });
    talking.answer(await talking.approval('x'), 'proceed_once', { payload });
    talking.end();
    return (await talking.ended()).lines.at(-1)?.['output'];
  };
  expect(await answered({ approved: true, approvalMode: 'autoEdit' })).toContain(
    'Edits inside the workspace',
  );
  expect(await answered({ approved: false, feedback: 'too long' })).toContain('too long');
});
