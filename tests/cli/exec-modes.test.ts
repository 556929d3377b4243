import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, errorOf, type Place, readCall, test, writeCall } from './program.js';

const exec = (place: Place, args: readonly string[], ...calls: readonly unknown[]) =>
  place.run(['exec', ...args], { stdin: asLines(...calls) });

test('without a user to ask, a call that would ask is denied, and the model receives the reason [A8]', async ({
  place,
}) => {
  const { code, lines } = await exec(place, [], writeCall('a.txt', 'x\n', 'w'));
  expect(code).toBe(1);
  expect(lines).toMatchObject([{ callId: 'w', status: 'error', durationMs: 0 }]);
  expect(errorOf(lines[0])).toEqual({
    type: 'nobody_to_ask',
    message: expect.stringMatching(/No user is attached .*Rule "editing" \(default-policy\.toml:\d+\) asks/),
    hint: expect.stringContaining('--approvals stdio or --approvals wait'),
  });
  expect(place.has('a.txt')).toBe(false);
});

test('plan mode reads and denies a write with a reason that names it [P1]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const { code, lines } = await exec(place, ['--mode', 'plan'], readCall('a.txt'), writeCall('a.txt', 'x\n'));
  expect(code).toBe(1);
  expect(lines.map(({ status }) => status)).toEqual(['success', 'error']);
  expect(errorOf(lines[1])).toMatchObject({
    type: 'policy_violation',
    message: expect.stringContaining('Plan mode is read-only'),
  });
  expect(place.read('a.txt')).toBe('hello\n');
});

test('auto_edit writes inside the workspace and asks outside and for protected names [P1] [P5]', async ({
  place,
}) => {
  const outside = join(place.directory, 'outside.txt');
  const { code, lines } = await exec(
    place,
    ['--mode', 'auto_edit'],
    writeCall('in/a.txt', 'x\n'),
    writeCall(outside, 'x\n'),
    writeCall('.git/config', 'x\n'),
    writeCall('.env', 'x\n'),
  );
  expect(code).toBe(1);
  expect(lines.map((line) => line['status'] === 'success' || errorOf(line).type)).toEqual([
    true,
    'nobody_to_ask',
    'nobody_to_ask',
    'nobody_to_ask',
  ]);
  expect(errorOf(lines[1]).message).toContain(`${outside}: it is outside the workspace`);
  expect(errorOf(lines[2]).message).toContain('".git" is protected');
  expect(errorOf(lines[3]).message).toContain('".env" is protected');
  expect(['in/a.txt', '../outside.txt', '.git/config', '.env'].map(place.has)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('yolo writes without a question, but not to protected names or outside [P1] [P5]', async ({ place }) => {
  const calls = [writeCall('a.txt', 'x\n'), writeCall('.env', 'x\n'), writeCall('../b.txt', 'x\n')];
  const { code, lines } = await exec(place, ['--yolo'], ...calls);
  expect(code).toBe(1);
  expect(lines.map(({ status }) => status)).toEqual(['success', 'error', 'error']);
  expect(['a.txt', '.env', '../b.txt'].map(place.has)).toEqual([true, false, false]);
});

test('nor does a command that names them, and policy check agrees [P1] [P5] [P7]', async ({ place }) => {
  place.write('a.txt', 'x\n');
  place.write('../user/key', 'KEY\n');
  const commands = [
    'echo x > .env',
    'cp a.txt ../b.txt',
    'echo x >> "$HOME/.bashrc"',
    'cat $HOME/key',
    `cat ~${userInfo().username}/../../etc/passwd`,
    'cp a.txt b.txt',
  ];
  const calls = commands.map((command) => ({ name: 'run_shell_command', args: { command } }));
  const { lines } = await exec(place, ['--yolo', '--sandbox', 'off'], ...calls);
  const guarded = Array.from({ length: 5 }, () => 'nobody_to_ask');
  expect(lines.map((line) => errorOf(line).type ?? line['status'])).toEqual([...guarded, 'success']);
  expect(['.env', '../b.txt', '../user/.bashrc', 'b.txt'].map(place.has)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const checked = await place.run(['policy', 'check', '--json', '--mode', 'yolo'], {
    stdin: asLines(...calls),
  });
  expect(checked.lines.map(({ decision }) => decision)).toEqual([...guarded.map(() => 'ask_user'), 'allow']);
});

test('a command that reads an unknown file asks, and policy check agrees [P5] [P7]', async ({ place }) => {
  const call = { name: 'run_shell_command', args: { command: 'cat "$X"' } };
  expect(errorOf((await exec(place, [], call)).lines[0]).type).toBe('nobody_to_ask');
  const checked = await place.run(['policy', 'check', '--json'], { stdin: asLines(call) });
  expect(checked.lines).toMatchObject([{ decision: 'ask_user' }]);
});

test('confirm_always asks even for a read [P1]', async ({ place }) => {
  place.write('a.txt', 'hello\n');
  const asking = place.start(['exec', '--mode', 'confirm_always', '--approvals', 'stdio']);
  asking.say(readCall('a.txt', 'r'));
  const question = await asking.approval('r');
  expect(question).toMatchObject({
    kind: 'info',
    outcomes: ['proceed_once', 'cancel'],
    why: 'In confirm_always mode, every call asks.',
  });
  asking.answer(question, 'proceed_once');
  asking.end();
  expect((await asking.ended()).lines.at(-1)).toMatchObject({ status: 'success', output: 'hello\n' });
});

test('modes have the spellings of other agents too; an unknown one lists the known [P1] [C1]', async ({
  place,
}) => {
  const modeOf = async (...args: string[]) => {
    const { lines } = await place.run(['exec', '--events', ...args, '[]']);
    return lines.map(({ event }) => (event as { readonly mode?: string }).mode)[0];
  };
  expect(await modeOf()).toBe('manual');
  expect(await modeOf('--mode', 'default')).toBe('manual');
  expect(await modeOf('--mode', 'autoEdit')).toBe('auto_edit');
  expect(await modeOf('--mode', 'auto')).toBe('yolo');

  for (const unknown of ['YOLO', 'constructor', '']) {
    const { code, stderr } = await place.run(['exec', '--mode', unknown, '[]']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `countersign: "${unknown}" is not an approval mode\n  Try: --mode plan | manual | auto_edit | yolo | confirm_always\n`,
    );
  }
});
