import { spawnSync } from 'node:child_process';
import { slowdown, timed } from '@countersign/testkit';
import { expect } from 'vitest';
import { asLines, PROGRAM, readCall, TEST_TOOLS, test, writeCall } from './program.js';

test('one Ctrl-C cancels what runs and what waits, keeps the partial output, and exits 130 [L5] [C3]', async ({
  place,
}) => {
  const running = place.start(['exec', '--tools', TEST_TOOLS, '--events']);
  running.say({ id: 'a', name: 'slow' });
  running.say({ id: 'b', name: 'slow' });
  await running.line({ type: 'live', callId: 'a' });
  running.signal('SIGINT');

  const { code, lines, stderr } = await running.ended();
  expect(code).toBe(130);
  expect(stderr).toContain('Press Ctrl-C again to exit immediately.');
  expect(lines.filter(({ type }) => type === undefined)).toMatchObject([
    {
      callId: 'a',
      status: 'cancelled',
      output: 'begun\n[Partial output: the call did not finish.]',
      error: { type: 'aborted', message: 'User cancelled tool execution.' },
    },
    { callId: 'b', status: 'cancelled', error: { message: 'User cancelled tool execution.' } },
  ]);
});

test('a tool that finishes although it was cancelled has its whole result printed as such [L5]', async ({
  place,
}) => {
  const running = place.start(['exec', '--tools', TEST_TOOLS, '--events']);
  running.say({ id: 'a', name: 'finishing' });
  await running.line({ type: 'live', callId: 'a' });
  running.signal('SIGINT');
  const { code, lines } = await running.ended();
  expect(code).toBe(130);
  expect(lines.find(({ callId, type }) => callId === 'a' && type === undefined)).toMatchObject({
    status: 'cancelled',
    output: expect.stringMatching(/^all done\n\[The call had finished/),
    error: { type: 'aborted', complete: true },
  });
  expect(JSON.stringify(lines.filter(({ type }) => type === undefined))).not.toContain('mayHaveHappened');
});

const ENDS = {
  unaware: { whole: true, run: '() => soon()' },
  asked: { whole: false, run: '(_, { signal }) => soon()' },
  throwing: { whole: true, run: '(_, { signal }) => soon()', more: "whenStopped: 'throws'" },
  partial: { whole: false, run: '() => soon().then((result) => ({ ...result, complete: false }))' },
} as const;

for (const [name, end] of Object.entries(ENDS))
  test(`what a tool of a module says of its end is kept: ${name} [L5] [T1]`, async ({ place }) => {
    place.write(
      'tools.mjs',
      `const soon = () => new Promise((resolve) => setTimeout(() => resolve({ llmContent: 'all done', returnDisplay: '' }), 1500));
      export default [{ name: 'ends', displayName: 'ends', description: 'ends', kind: 'other', inputSchema: { type: 'object' },
        canUpdateOutput: true, check: (args) => ({ ok: true, args }),
        plan: () => ({ title: 'ends', resources: [], repeat: 'unsafe', byDefault: 'allow' }),
        run: ${end.run}, ${'more' in end ? end.more : ''} }];`,
    );
    const running = place.start(['exec', '--tools', 'tools.mjs', '--events']);
    running.say({ id: 'a', name: 'ends' });
    await expect.poll(() => JSON.stringify(running.lines), { timeout: 20_000 }).toContain('"call.started"');
    running.signal('SIGINT');
    const { lines } = await running.ended();
    const line = lines.find(({ callId, type }) => callId === 'a' && type === undefined);
    expect(line).toMatchObject({ status: 'cancelled', output: expect.stringMatching(/^all done\n/) });
    const [said, unsaid] = end.whole ? ['complete', 'mayHaveHappened'] : ['mayHaveHappened', 'complete'];
    expect(line?.['error']).toMatchObject({ [said]: true });
    expect(line?.['error']).not.toHaveProperty(unsaid);
  });

test('after Ctrl-C no new call is accepted, and a second one exits at once, even if a tool ignores its signal [L5]', async ({
  place,
}) => {
  const running = place.start(['exec', '--tools', TEST_TOOLS, '--events']);
  running.say({ id: 'a', name: 'deaf' });
  await running.line({ type: 'live', callId: 'a' });
  running.signal('SIGINT');
  await running.told('Press Ctrl-C again');
  running.say(readCall('a.txt', 'late'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(JSON.stringify(running.lines)).not.toContain('late');
  running.signal('SIGINT');
  const { result, ms } = await timed(() => running.ended());
  expect(result).toMatchObject({ code: 130 });
  expect(ms).toBeLessThan(2_000 * (await slowdown()));
});

test('a reader that goes away ends the program with one line that says what is left, and not as a success [C3]', ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  place.write('calls.jsonl', asLines(...Array.from({ length: 300 }, () => readCall('a.txt'))));
  const script = `{ "$0" "$1" exec < calls.jsonl; echo "exit $?" >&2; } | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, PROGRAM], {
    cwd: place.workspace,
    env: place.environment,
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success' });
  expect(stderr).toMatch(/^The reader of standard output closed it, .*\nexit 1\n$/);
});

test('the exit code distinguishes success, failure, invalid input, pending approval and invalid setup [C3] [C1]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const code = async (...args: string[]) => (await place.run(['exec', ...args])).code;
  const good = JSON.stringify(readCall('a.txt'));
  expect(await code(good)).toBe(0);
  expect(await code(good, JSON.stringify(readCall('b.txt')))).toBe(1);
  expect(await code('--bogus')).toBe(2);
  expect(await code('--approvals', 'stdio', JSON.stringify(writeCall('b.txt', 'x\n')))).toBe(3);
  expect(await code('--policy', 'nowhere.toml', good)).toBe(4);
});

test('when stdin ends, open questions are kept, and the program prints how to answer them [C4] [A6]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const store = `${place.home} of mine`;
  const { code, stderr } = await place.run(
    ['exec', '--approvals', 'stdio', '--session', 's1', '--store', store],
    { stdin: asLines([readCall('a.txt', 'r'), writeCall('b.txt', 'x\n', "it's")]) },
  );
  expect(code).toBe(3);
  expect(stderr).toBe(
    `1 call waits for approval. The session is saved. To answer, from anywhere on this machine:\n` +
      `  countersign approvals answer 's1/it'\\''s' proceed_once --store '${store}'\n`,
  );
  // What was printed can be pasted into a shell.
  const [command = ''] = stderr.split('\n').slice(1);
  const script = `countersign() { "${process.execPath}" "${PROGRAM}" "$@"; }; ${command}`;
  const answered = spawnSync('sh', ['-c', script], { env: place.environment, encoding: 'utf8' });
  expect(answered).toMatchObject({ status: 0, stderr: "Answered s1/it's.\n" });
  expect(place.read('b.txt')).toBe('x\n');
});

test('in memory there is no one else to answer, so the end of the input cancels what waits [C4]', async ({
  place,
}) => {
  const call = JSON.stringify(writeCall('b.txt', 'x\n', 'w'));
  const { code, lines } = await place.run(['exec', '--approvals', 'stdio', '--store', ':memory:', call]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ callId: 'w', status: 'cancelled' });

  const wait = await place.run(['exec', '--approvals', 'wait', '--store', ':memory:', call]);
  expect(wait).toMatchObject({ code: 2, stdout: '' });
  expect(wait.stderr).toContain('No other process can see a session that is kept in memory');
});
