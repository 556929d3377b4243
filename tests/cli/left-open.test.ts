import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { leavePending } from './pending-session.js';
import { errorOf, type Line, type Place, PROGRAM, TEST_TOOLS, test, writeCall } from './program.js';

const shell = (command: string, id: string): Line => ({ id, name: 'run_shell_command', args: { command } });

/** A process that ran one call, had another queued behind it, and was killed. */
async function killed(place: Place, command: string, ...more: readonly string[]): Promise<void> {
  const calls = JSON.stringify([
    shell(`echo begun > mark; ${command}`, 'a'),
    shell('echo b >> mark; echo b >> b.txt', 'b'),
  ]);
  const running = place.start(['exec', '--yolo', '--session', 's1', ...more, calls]);
  await expect.poll(() => place.has('mark') && place.read('mark'), { timeout: 30_000 }).toBe('begun\n');
  running.signal('SIGKILL');
  await running.ended();
}

const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });

test('a killed session is listed as interrupted, with what is open and the command that continues it [A6] [C2]', async ({
  place,
}) => {
  await killed(place, 'sleep 2; echo done >> mark');
  const [listed] = (await place.run(['sessions', 'list', '--json'])).lines;
  expect(listed).toMatchObject({
    id: 's1',
    status: 'interrupted',
    frontEnd: 'exec',
    left: { running: 1, queued: 1, questions: 0, unanswered: false },
  });
  const { stdout } = await place.run(['sessions', 'list']);
  expect(stdout).toContain('interrupted: its process (exec) ended; 1 call was running, 1 call was queued');
  expect((await place.run(['sessions', 'show', 's1'])).stdout).toContain('1 call was running');
  const [, command = ''] = /^ {2}to resume: (.+)$/m.exec(stdout) ?? [];
  const script = `countersign() { "${process.execPath}" "${PROGRAM}" "$@"; }; ${command}`;
  const resumed = spawnSync('sh', ['-c', script], { env: place.environment, encoding: 'utf8', input: '' });
  expect(resumed.status).toBe(0);
  expect([place.read('mark'), place.read('b.txt')]).toEqual(['begun\ndone\nb\n', 'b\n']);
  expect((await place.run(['sessions', 'list', '--json'])).lines).toMatchObject([
    { status: 'idle', left: null },
  ]);
});

for (const resume of [
  ['exec', '--resume', 's1'],
  ['sessions', 'resume', 's1'],
] as const)
  test(`${resume.slice(0, 2).join(' ')} prints the result of a call that was cut off, and does not exit 0 [A6] [C3]`, async ({
    place,
  }) => {
    const tools = ['--tools', TEST_TOOLS];
    const call = JSON.stringify({ id: 'a', name: 'slow' });
    const running = place.start(['exec', '--events', '--session', 's1', ...tools, call]);
    await running.line({ type: 'live', callId: 'a' });
    running.signal('SIGKILL');
    await running.ended();
    const { code, lines } = await place.run([...resume, ...tools]);
    expect([code, lines]).toEqual([1, [expect.objectContaining({ callId: 'a', status: 'error' })]]);
    expect(errorOf(lines[0])).toMatchObject({ type: 'interrupted', mayHaveHappened: true });
    // Once: what was printed is not owed again.
    expect((await place.run(['exec', '--resume', 's1', ...tools])).lines).toEqual([]);
  });

test('deleting a killed session ends the command that it left running [J1] [X3]', async ({ place }) => {
  const seconds = `301.${process.pid}`;
  await killed(place, `sleep ${seconds}`);
  const isRunning = () => commandLines().includes(`sleep\0${seconds}\0`);
  expect(isRunning()).toBe(true);
  const { code, stderr } = await place.run(['sessions', 'delete', 's1', '--yes']);
  expect([code, stderr]).toEqual([0, 'Deleted s1. Ended 1 command that was still running.\n']);
  expect(isRunning()).toBe(false);
  expect(readdirSync(join(place.home, 'outputs'))).toEqual([]);
  expect(place.has('b.txt')).toBe(false);
});

for (const resume of [
  ['sessions', 'resume', 's1'],
  ['exec', '--resume', 's1'],
] as const)
  test(`${resume.slice(0, 2).join(' ')} --approvals deny leaves pending questions, says how to answer them, and ends [A6] [C4]`, async ({
    place,
  }) => {
    const call = JSON.stringify(writeCall('a.txt', 'x\n', 'w'));
    const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', call]);
    await running.told('countersign approvals answer s1/w');
    running.signal('SIGKILL');
    await running.ended();
    const { code, stderr } = await place.run([...resume, '--approvals', 'deny']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('countersign approvals answer s1/w')]);
    expect((await place.run(['approvals', 'list', '--json'])).lines).toMatchObject([{ id: 's1/w' }]);
  });

test('a command outlives kill -9 where the store lies below a path beyond ASCII [X5]', async ({ place }) => {
  const store = join(place.directory, 'Büro 日本');
  await killed(place, 'sleep 2; echo done >> mark', '--store', store);
  const { code, lines } = await place.run(['exec', '--resume', 's1', '--store', store]);
  expect([code, lines]).toMatchObject([0, [{ callId: 'a', status: 'success' }, { callId: 'b' }]]);
  expect(place.read('mark')).toBe('begun\ndone\nb\n');
});

test('a list of sessions counts calls that have not ended [J3] [C3]', async ({ place }) => {
  await leavePending(join(place.home, 'countersign.db'), 'asks');
  const { stdout } = await place.run(['sessions', 'list', '--all']);
  expect(stdout).toMatch(/^asks .*1 question is pending\n {2}manual, 1 call\n/m);
  const { lines } = await place.run(['sessions', 'list', '--all', '--json']);
  expect(lines).toMatchObject([{ id: 'asks', calls: 1, questions: 1 }]);
});
