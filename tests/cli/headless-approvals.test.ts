import { describe, expect } from 'vitest';
import {
  call,
  FakeModel,
  ofType,
  overStdio,
  prompt,
  resultOf,
  says,
  streaming,
  text,
} from './headless-model.js';
import { test } from './program.js';

const write = (path: string, content: string, id: string) =>
  call('write_file', { file_path: path, content }, id);
/** What the model is told of its only call. */
const toldTo = (model: FakeModel, request: number) => model.lastParts(request)[0]?.['functionResponse'];

describe('over stdio', () => {
  test('an approved edit is made as it was shown, and counted as accepted [C4] [A3]', async ({ place }) => {
    const model = await FakeModel.start(says(write('a.txt', 'new\n', 'w')), says(text('Done.')));
    const running = model.start(place, overStdio('go'));
    const question = await running.approval('w');
    expect(question).toMatchObject({ kind: 'edit', tool: 'write_file', details: { newContent: 'new\n' } });
    running.answer(question, 'proceed_once');
    await running.line({ type: 'ack', id: 'w', ok: true });
    const ran = await running.ended();
    expect([ran.code, place.read('a.txt')]).toEqual([0, 'new\n']);
    expect(ofType(ran, 'tool_result')).toMatchObject([{ tool_id: 'w', status: 'success' }]);
    expect(resultOf(ran)).toMatchObject({ status: 'success' });
  });

  test('a declined write leaves the file untouched, and the model receives the reason [L5] [C4]', async ({
    place,
  }) => {
    const model = await FakeModel.start(says(write('a.txt', 'x', 'w')), says(text('I see.')));
    const running = model.start(place, overStdio('go'));
    running.answer(await running.approval('w'), 'cancel', { payload: { feedback: 'use b.txt' } });
    const ran = await running.ended();
    expect([ran.code, place.has('a.txt')]).toEqual([0, false]);
    expect(JSON.stringify(toldTo(model, 1))).toContain('use b.txt');
    expect(ofType(ran, 'tool_result')).toMatchObject([
      { status: 'error', error: { type: 'declined', message: expect.stringContaining('use b.txt') } },
    ]);
  });

  test('"no, and stop" ends the run; the model learns of it when the session continues [A2] [C4]', async ({
    place,
  }) => {
    const model = await FakeModel.start(says(write('a.txt', 'x', 'w')), says(text('All right.')));
    const running = model.start(place, overStdio('go'));
    running.answer(await running.approval('w'), 'cancel', { payload: { stop: true } });
    const ran = await running.ended();
    expect([ran.code, model.server.received.length]).toEqual([130, 1]);
    expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'cancelled' } });
    await model.run(place, prompt('never mind', '-c'));
    expect(model.lastParts(1)).toMatchObject([
      { functionResponse: { id: 'w', response: { error: expect.stringContaining('User did not allow') } } },
      { text: 'never mind' },
    ]);
  });

  test('a changed call is what runs, and the model is informed that a person changed it [A4] [C4]', async ({
    place,
  }) => {
    const model = await FakeModel.start(
      says(write('a.txt', 'theirs\n', 'w'), call('run_shell_command', { command: 'touch no' }, 's')),
      says(text('ok')),
    );
    const running = model.start(place, overStdio('go'));
    running.answer(await running.approval('w'), 'proceed_once', { payload: { newContent: 'mine\n' } });
    running.answer(await running.approval('s'), 'proceed_once', {
      payload: { args: { command: 'touch yes' } },
    });
    const ran = await running.ended();
    expect([ran.code, place.read('a.txt'), place.has('yes'), place.has('no')]).toEqual([
      0,
      'mine\n',
      true,
      false,
    ]);
    expect(JSON.stringify(model.lastParts(1))).toContain('mine');
    expect(JSON.stringify(model.lastParts(1))).toContain('touch yes');
  });

  test('an invalid answer is reported, and the question stays open [A5] [C4]', async ({ place }) => {
    const model = await FakeModel.start(says(write('a.txt', 'x', 'w')), says(text('ok')));
    const running = model.start(place, overStdio('go'));
    const question = await running.approval('w');
    running.say({ hello: 1 });
    running.answer({ ...question, digest: 'other' }, 'proceed_once');
    running.answer({ ...question, id: 'nobody' }, 'proceed_once');
    running.answer(question, 'proceed_once');
    await running.line({ type: 'ack', ok: true });
    const acks = ofType(await running.ended(), 'ack').map(
      ({ ok, error }) => ok || (error as { type: string }).type,
    );
    expect(acks).toEqual(['invalid_request', 'question_changed', 'unknown_call', true]);
  });

  test('when no answer can arrive any more, open questions are kept and reported [A6] [C4]', async ({
    place,
  }) => {
    const model = await FakeModel.start(says(write('a.txt', 'x\n', 'w')), says(text('Written.')));
    const ran = await model.run(place, overStdio('go', '--session', 's'));
    expect(ran.code).toBe(3);
    expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'waiting' } });
    expect(ran.stderr).toContain('countersign approvals answer s/w proceed_once');
    // The call runs where it is answered; the model learns of it when the session continues, with nothing more to be said.
    expect((await place.run(['approvals', 'answer', 's/w', 'proceed_once'])).code).toBe(0);
    expect(place.read('a.txt')).toBe('x\n');
    expect(await model.run(place, ['--resume', 's'])).toMatchObject({ code: 0, stdout: 'Written.\n' });
    expect(toldTo(model, 1)).toMatchObject({ id: 'w', response: { output: expect.any(String) } });
    const nothing = await model.run(place, ['--resume', 's']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('has no open calls')]);
  });
});

test('a run that waits is answered from another process [C4] [A5]', async ({ place }) => {
  const model = await FakeModel.start(says(write('a.txt', 'x\n', 'w')), says(text('Done.')));
  const running = model.start(place, prompt('go', '--approvals', 'wait', '--session', 's'));
  running.end();
  await running.told('countersign approvals answer s/w proceed_once');
  await place.run(['approvals', 'answer', 's/w', 'proceed_once']);
  const { code, stdout } = await running.ended();
  expect([code, stdout, place.read('a.txt')]).toEqual([0, 'Done.\n', 'x\n']);
});

test('without a user to ask it is a denial, reported truthfully to model, stream and statistics [A8] [C2]', async ({
  place,
}) => {
  const model = await FakeModel.start(says(write('a.txt', 'x', 'w')), says(text('I may not.')));
  const streamed = await model.run(place, streaming('go'));
  expect([streamed.code, place.has('a.txt')]).toEqual([0, false]);
  expect(ofType(streamed, 'tool_result')).toMatchObject([
    { status: 'error', error: { type: 'nobody_to_ask' } },
  ]);
  expect(toldTo(model, 1)).toMatchObject({
    response: { error: expect.stringContaining("needs the user's approval") },
  });
  const again = await FakeModel.start(says(write('a.txt', 'x', 'w')), says(text('no')));
  const { stats } = JSON.parse((await again.run(place, prompt('go', '-o', 'json'))).stdout);
  expect(stats.tools).toMatchObject({
    totalSuccess: 0,
    totalFail: 1,
    totalDecisions: { accept: 0, auto_accept: 0, reject: 1 },
  });
});

test('killed while a question waits, the session asks again and the model gets its result [A6] [J2]', async ({
  place,
}) => {
  const model = await FakeModel.start(
    says(text('Writing.'), write('a.txt', 'x\n', 'w'), call('read_file', { file_path: 'b.txt' }, 'r')),
    says(text('Written.')),
  );
  place.write('b.txt', 'hello\n');
  const first = model.start(place, overStdio('go', '--session', 's'));
  await first.approval('w');
  await first.line({ type: 'tool_result', tool_id: 'r' });
  first.signal('SIGKILL');
  await first.ended();

  const unattended = await model.run(place, prompt('go on', '--resume', 's'));
  expect([unattended.code, unattended.stderr]).toEqual([3, expect.stringContaining('approvals answer s/w')]);

  const second = model.start(place, ['--resume', 's', '-o', 'stream-json', '--approvals', 'stdio']);
  const question = await second.approval('w');
  second.answer(question, 'proceed_once');
  const ran = await second.ended();
  expect([ran.code, place.read('a.txt')]).toEqual([0, 'x\n']);
  expect(ran.lines[0]).toMatchObject({ type: 'init', session_id: 's' });
  expect(ofType(ran, 'tool_result')).toMatchObject([{ tool_id: 'w', status: 'success' }]);
  expect(model.server.received).toHaveLength(2);
  expect(model.contents(1).map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  expect(model.lastParts(1)).toMatchObject([
    { functionResponse: { id: 'w', response: { output: expect.any(String) } } },
    { functionResponse: { id: 'r', response: { output: expect.any(String) } } },
  ]);
});
