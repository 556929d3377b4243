import { expect } from 'vitest';
import { call, FakeModel, overStdio, says, text } from './headless-model.js';
import { type Place, test, writeCall } from './program.js';
import { inTerminal } from './terminal.js';

/** A session whose model asks to write a file, which waits for an answer. */
async function waiting(place: Place) {
  const model = await FakeModel.start(
    says(text('I write it.'), call('write_file', { file_path: 'b.txt', content: 'x' }, 'w1')),
    says(text('All done.')),
  );
  const owner = model.start(place, overStdio('write b.txt', '--session', 'talk'));
  return { model, owner, approval: await owner.approval('w1') };
}

test('attach shows the state and the events of a session, and sends messages to the model [C1]', async ({
  place,
}) => {
  const { model, owner, approval } = await waiting(place);
  const attached = place.start(['attach', 'talk']);
  await attached.told(`Process ${owner.pid} has talk open.`);
  attached.say('hurry');
  await expect
    .poll(async () => (await place.run(['sessions', 'show', 'talk'])).stdout, { timeout: 8_000 })
    .toContain('hurry');
  owner.answer(approval, 'proceed_once');
  owner.end();
  expect((await owner.ended()).code).toBe(0);

  const { code, stdout, stderr } = await attached.ended();
  expect(code).toBe(0);
  const order = [
    'write b.txt',
    'I write it.',
    'waits     write_file',
    'hurry',
    'done      write_file',
    'All done.',
  ];
  const places = order.map((words) => stdout.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(stderr).toContain('No process has talk open any more.');
  expect(JSON.stringify(model.lastParts(1))).toContain('hurry');
});

test('Ctrl-C detaches from a session, and its owner continues [C1]', async ({ place }) => {
  const { owner, approval } = await waiting(place);
  const attached = place.start(['attach', 'talk', '--json']);
  await attached.line({ type: 'attached', pid: owner.pid });
  attached.signal('SIGINT');
  expect((await attached.ended()).code).toBe(0);
  owner.answer(approval, 'proceed_once');
  owner.end();
  expect((await owner.ended()).code).toBe(0);
  expect(place.read('b.txt')).toBe('x');
});

test('facts come as lines of JSON, each once [C1]', async ({ place }) => {
  const owner = place.start(['exec', '--approvals', 'stdio', '--session', 'talk']);
  owner.say(writeCall('b.txt', 'x', 'w1'));
  const approval = await owner.approval('w1');
  const attached = place.start(['attach', 'talk', '--json']);
  const { seq } = await attached.line({ type: 'attached', sessionId: 'talk' });
  owner.answer(approval, 'proceed_once');
  owner.end();
  await owner.ended();
  const { lines, code } = await attached.ended();
  expect(code).toBe(0);
  const heard = lines.slice(1);
  expect(heard.map((line) => line['seq'])).toEqual(heard.map((_, index) => Number(seq) + index));
  expect(lines.at(-1)).toMatchObject({ type: 'event', event: { type: 'turn.ended' } });
});

test('a session without an owner prints how to resume it [C1]', async ({ place }) => {
  await place.run(['exec', '--session', 'over', '{"name":"list_directory","args":{"dir_path":"."}}']);
  const { code, stderr } = await place.run(['attach', 'over']);
  expect(code).toBe(1);
  expect(stderr).toContain('countersign exec --resume over');
});

test('questions are answered in the terminal of another process [C4]', async ({ place }) => {
  const { model, owner } = await waiting(place);
  await inTerminal(place, ['attach', 'talk'], async (terminal) => {
    await terminal.asks(1);
    terminal.type('n use c.txt instead');
    await terminal.shows('declined  write_file');
    await terminal.shows('[exit 0]');
  });
  owner.end();
  expect((await owner.ended()).code).toBe(0);
  expect(place.has('b.txt')).toBe(false);
  expect(JSON.stringify(model.lastParts(1))).toContain('use c.txt instead');
});

test('a line typed in a terminal is sent to the session, and Ctrl-C detaches [C1]', async ({ place }) => {
  const owner = place.start(['exec', '--approvals', 'stdio', '--session', 'talk']);
  owner.say({ id: 'r1', name: 'list_directory', args: { dir_path: '.' } });
  await owner.line({ callId: 'r1' });
  await inTerminal(place, ['attach', 'talk'], async (terminal) => {
    await terminal.shows('done      list_directory');
    terminal.type('are you there?');
    await terminal.shows('\ntester  ');
    terminal.press('C-c');
    await terminal.shows('[exit 0]');
  });
  const { lines } = await place.run(['sessions', 'show', 'talk', '--json']);
  expect(lines.at(-1)).toMatchObject({ type: 'user', text: 'are you there?', by: 'tester' });
});
