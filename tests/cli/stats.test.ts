import { expect } from 'vitest';
import { call, FakeModel, overStdio, says, text } from './headless-model.js';
import { type Place, test } from './program.js';

/** Reads and a command that fails, unasked; a write that somebody allows, and one that nobody could be asked about. */
async function worked(place: Place): Promise<void> {
  place.write('a.txt', 'x\n');
  const model = await FakeModel.start(
    says(call('read_file', { file_path: 'a.txt' }, 'r1'), call('read_file', { file_path: 'a.txt' }, 'r2')),
    says(call('write_file', { file_path: 'b.txt', content: 'x' }, 'w1')),
    says(call('run_shell_command', { command: 'exit 3' }, 's1')),
    says(text('Done.')),
  );
  const running = model.start(place, overStdio('go', '--session', 'one'));
  running.answer(await running.approval('w1'), 'proceed_once');
  running.end();
  expect((await running.ended()).code).toBe(0);
  await place.run([
    'exec',
    '--session',
    'two',
    '{"id":"d1","name":"write_file","args":{"file_path":"c","content":""}}',
  ]);
}

test('calls are counted with success, durations and waits, by tool, by what decided and by session [O2]', async ({
  place,
}) => {
  expect(await place.run(['stats'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('There are no calls'),
  });
  expect(place.has('../home/countersign.db')).toBe(false);
  await worked(place);
  const { lines } = await place.run(['stats', '--json']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    all: { calls: 5, succeeded: 3, failed: 2, cancelled: 0, waited: 1, medianMs: expect.any(Number) },
    sessions: 2,
    byTool: expect.arrayContaining([
      expect.objectContaining({ name: 'read_file', calls: 2, succeeded: 2, waited: 0, medianWaitMs: null }),
      expect.objectContaining({ name: 'write_file', calls: 2, succeeded: 1, failed: 1, waited: 1 }),
      expect.objectContaining({
        name: 'run_shell_command',
        calls: 1,
        failed: 1,
        medianWaitMs: null,
      }),
    ]),
    byDecider: expect.arrayContaining([
      expect.objectContaining({ name: 'policy', calls: 4, succeeded: 2 }),
      expect.objectContaining({ name: 'person', calls: 1, succeeded: 1 }),
    ]),
    bySession: [
      expect.objectContaining({ name: 'one', calls: 4 }),
      expect.objectContaining({ name: 'two', calls: 1 }),
    ],
    byModel: [{ model: 'gemini-3.8-flash', requests: 4, inputTokens: 400, outputTokens: 40 }],
  });

  const only = await place.run(['stats', '--session', 'two', '--json']);
  expect(only.lines[0]).toMatchObject({ all: { calls: 1 }, byModel: [] });
  const long = await place.run(['stats', '--days', '0.0000001', '--json']);
  expect(long.lines[0]).toMatchObject({ all: { calls: 0, medianMs: null }, sessions: 0, byDay: [] });
});

test('the numbers are readable in 80 columns without colours, with bars for the days [O2]', async ({
  place,
}) => {
  await worked(place);
  const { stdout, code } = await place.run(['stats'], { env: { NO_COLOR: '1' } });
  expect(code).toBe(0);
  expect(stdout).toContain('5 calls in 2 sessions\n  done 3 (60 %), failed 2 (40 %), cancelled 0 (0 %)\n');
  expect(stdout).toMatch(/\n {2}read_file +2 +100 % +\d+ ms +\d+ ms +-\n/);
  expect(stdout).toMatch(/\n {2}\d{4}-\d\d-\d\d {2}#{24}x{16} +5\n/);
  expect(stdout).toMatch(/\n {2}gemini-3\.8-flash +4 +400 +40 +\$0\.\d{4}\n/);
  expect(stdout.split('\n').filter((row) => row.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^[ -~\n…]*$/);
});
