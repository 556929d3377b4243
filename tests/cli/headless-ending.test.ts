import { describe, expect } from 'vitest';
import { isGone, isRunning } from '../../packages/hooks/src/testing/hook-place.js';
import { asEvents, breaksAfter } from '../../packages/models/src/testing/wire-server.js';
import { call, chunk, FakeModel, ofType, prompt, resultOf, says, streaming, text } from './headless-model.js';
import { test } from './program.js';

const shell = (command: string, id = 's') => call('run_shell_command', { command }, id);

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let round = 0; round < 2_000 && !condition(); round++)
    await new Promise((next) => setTimeout(next, 20));
  if (!condition()) throw new Error(`waited in vain for ${what}`);
}

describe('Ctrl-C', () => {
  test('once cancels the turn, ends the whole process tree, and keeps a session to continue [X3] [C1]', async ({
    place,
  }) => {
    const seconds = `60.1${process.pid}`;
    const model = await FakeModel.start(
      says(shell(`sleep ${seconds} & sleep ${seconds}`)),
      says(text('Yes?')),
    );
    const running = model.start(place, streaming('go', '--yolo'));
    running.end();
    await until(() => isRunning(seconds), 'the command to run');
    running.signal('SIGINT');
    const ran = await running.ended();
    expect(ran.code).toBe(130);
    expect(await isGone(seconds)).toBe(true);
    expect(ofType(ran, 'tool_result')).toMatchObject([
      { status: 'error', error: { type: 'aborted', mayHaveHappened: true } },
    ]);
    expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'cancelled' } });
    expect((await model.run(place, prompt('go on', '-c'))).stdout).toBe('Yes?\n');
    expect(model.lastParts(1)).toMatchObject([
      {
        functionResponse: {
          id: 's',
          response: {
            error: 'User cancelled tool execution.',
            output: expect.stringContaining('may have taken effect'),
          },
        },
      },
      { text: 'go on' },
    ]);
  });

  test('twice exits at once [C1]', async ({ place }) => {
    const seconds = `6.2${process.pid}`; // it is left running, so not for long
    // It takes its time to end, as programs that clean up do.
    const model = await FakeModel.start(says(shell(`trap 'sleep 0.4' TERM; sleep ${seconds} & wait`)));
    const running = model.start(place, prompt('go', '--yolo'));
    running.end();
    await until(() => isRunning(seconds), 'the command to run');
    running.signal('SIGINT');
    await running.told('Press Ctrl-C again');
    running.signal('SIGINT');
    expect((await running.ended()).code).toBe(130);
  });

  test('while a question waits for someone else ends the run [L5]', async ({ place }) => {
    const model = await FakeModel.start(says(call('write_file', { file_path: 'a', content: 'x' }, 'w')));
    const running = model.start(place, prompt('go', '--approvals', 'wait'));
    running.end();
    await running.told('Waiting for approval');
    running.signal('SIGINT');
    expect([(await running.ended()).code, place.has('a')]).toEqual([130, false]);
  });
});

describe('a limit ends the run with 53', () => {
  test('of turns [G2]', async ({ place }) => {
    const model = await FakeModel.start(
      says(call('list_directory', { dir_path: '.' })),
      says(call('glob', { pattern: '*' })),
    );
    const ran = await model.run(place, streaming('go', '--max-turns', '2'));
    expect([ran.code, model.server.received.length]).toEqual([53, 2]);
    expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'turn_limit' } });
  });

  test('of tokens, over all runs of the session [G2]', async ({ place }) => {
    const model = await FakeModel.start(says(text('one')), says(text('two')));
    expect((await model.run(place, prompt('1', '--max-tokens', '200'))).code).toBe(0);
    const exceeded = await model.run(place, prompt('2', '-c', '--max-tokens', '200'));
    expect([exceeded.code, exceeded.stdout]).toEqual([53, 'two\n']);
    expect(exceeded.stderr).toContain('The answer is complete, but the budget of 200 tokens is spent.');
    const spent = await model.run(place, prompt('3', '-c', '--max-tokens', '200', '-o', 'json'));
    expect([spent.code, model.server.received.length]).toEqual([53, 2]);
    expect(JSON.parse(spent.stdout)).toMatchObject({ error: { type: 'budget_spent' }, response: '' });
  });

  test('of turns with a model that is in a loop [G2]', async ({ place }) => {
    const model = await FakeModel.start(says(call('list_directory', { dir_path: '.' })));
    const { code, stderr } = await model.run(place, prompt('go'));
    expect([code, model.server.received.length]).toEqual([53, 5]);
    expect(stderr).toContain('the model is in a loop');
  });
});

test('a session that continues shows the model the very same history, thoughts and signatures included [J3]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const thinking = [
    { text: 'hm', thought: true },
    { ...call('read_file', { file_path: 'a.txt' }, 'r'), thoughtSignature: 'c2ln' },
  ];
  const model = await FakeModel.start(says(...thinking), says(text('One.')), says(text('Two.')));
  await model.run(place, prompt('one', '--session', 's'));
  const exec = await place.run(['exec', JSON.stringify({ name: 'list_directory', args: { dir_path: '.' } })]);
  expect(exec.code).toBe(0);
  // The last session here was one of exec; what is continued is the last conversation.
  await model.run(place, prompt('two', '-c'));
  const [before, after] = [model.contents(1), model.contents(2)];
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length)).toEqual([
    { role: 'model', parts: [{ text: 'One.' }] },
    { role: 'user', parts: [{ text: 'two' }] },
  ]);
  await model.run(place, prompt('three', '--resume', 's'));
  expect(model.contents(3).slice(0, after.length)).toEqual(after);
});

test('statistics are those of the run, not of the session before it [C2]', async ({ place }) => {
  const model = await FakeModel.start(says(text('ok')));
  await model.run(place, prompt('one'));
  const ran = await model.run(place, streaming('two', '-c'));
  expect(resultOf(ran)).toMatchObject({ stats: { total_tokens: 110 } });
});

test('a connection that is cut in the middle of an answer is reported, and carries out nothing of it [G3]', async ({
  place,
}) => {
  const half = [chunk(null, [text('I will'), call('write_file', { file_path: 'a.txt', content: 'x' }, 'w')])];
  const model = await FakeModel.start(breaksAfter(asEvents(half)), says(text('Again.')));
  const ran = await model.run(place, streaming('go', '--yolo'));
  expect([ran.code, place.has('a.txt')]).toEqual([1, false]);
  expect(resultOf(ran)).toMatchObject({ status: 'error', error: { type: 'model_cut_off' } });
  expect(ofType(ran, 'tool_result')).toMatchObject([
    {
      tool_id: 'w',
      status: 'error',
      error: {
        type: 'aborted',
        message: expect.stringContaining('The response that requested this call was cut off'),
      },
    },
  ]);
  expect(await model.run(place, prompt('again', '-c'))).toMatchObject({ code: 0, stdout: 'Again.\n' });
});
