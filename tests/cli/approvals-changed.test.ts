import { expect } from 'vitest';
import { type Place, test, writeCall } from './program.js';

const talk = (place: Place, ...args: string[]) => place.start(['exec', '--approvals', 'stdio', ...args]);

test('an answer with other content is consent to exactly that [A4] [C4]', async ({ place }) => {
  place.write('a.txt', 'old\n');
  const talking = talk(place, '--events');
  talking.say(writeCall('a.txt', 'new\n', 'w'));
  const question = await talking.approval('w');
  talking.answer(question, 'proceed_once', { payload: { newContent: 'mine\n' } });
  talking.end();
  const { code, lines, stdout } = await talking.ended();
  expect(code).toBe(0);
  expect(place.read('a.txt')).toBe('mine\n');
  expect(lines.filter(({ type }) => type === 'approval')).toHaveLength(1);
  expect(stdout).toContain('"type":"call.rewritten"');
});

test('an answer with other arguments is consent to those, unless they touch what was not shown [A4] [C4]', async ({
  place,
}) => {
  const talking = talk(place);
  talking.say(writeCall('a.txt', 'new\n', 'w'));
  const question = await talking.approval('w');
  const refused = async (payload: object, type: string) => {
    const from = talking.lines.length;
    talking.answer(question, 'proceed_once', { payload });
    expect(await talking.line({ type: 'ack' }, from)).toMatchObject({ ok: false, error: { type } });
  };
  await refused({ args: { file_path: 'b.txt', content: 'mine\n' } }, 'path_not_shown');
  await refused({ args: { file_path: 'a.txt', content: 3 } }, 'invalid_tool_params');
  await refused({ args: { file_path: 'a.txt', content: '' }, newContent: '' }, 'invalid_answer');
  expect([place.has('a.txt'), place.has('b.txt')]).toEqual([false, false]);

  talking.answer(question, 'proceed_once', { payload: { args: { path: 'a.txt', content: 'mine\n' } } });
  talking.end();
  const { code, lines } = await talking.ended();
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ callId: 'w', status: 'success', outcome: 'proceed_once' });
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['mine\n', false]);
});

test('a file that changed after the question was shown refuses the answer and asks again [A3] [C4]', async ({
  place,
}) => {
  place.write('a.txt', 'old\n');
  const talking = talk(place);
  talking.say(writeCall('a.txt', 'new\n', 'w'));
  const shown = await talking.approval('w');
  place.write('a.txt', 'somebody else\n');
  talking.answer(shown, 'proceed_once');

  const again = await talking.approval('w', 1);
  expect(talking.lines[1]).toMatchObject({ type: 'ack', ok: false, error: { type: 'question_changed' } });
  expect(again['digest']).not.toBe(shown['digest']);
  expect(again['details']).toMatchObject({ originalContent: 'somebody else\n', newContent: 'new\n' });
  expect(place.read('a.txt')).toBe('somebody else\n');

  talking.answer(shown, 'proceed_once');
  expect(await talking.line({ type: 'ack' }, 3)).toMatchObject({ ok: false });
  talking.answer(again, 'proceed_once');
  talking.end();
  expect(await talking.ended()).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('new\n');
});
