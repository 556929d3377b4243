import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Place, readCall, TEST_TOOLS, test, writeCall } from './program.js';

const DENY_WRITES = `
[[rule]]
toolName = "write_file"
decision = "deny"
priority = 900
denyMessage = "no writing"
`;

/** A file of rules beside the workspace. */
function rules(place: Place, name: string, text = DENY_WRITES): string {
  const file = join(place.directory, name);
  writeFileSync(file, text);
  return file;
}

const ASK_WRITES = '[[rule]]\ntoolName = "write_file"\ndecision = "ask_user"\npriority = 900\n';

/** A program that was killed while it waited with a write, and what it said. */
async function killed(place: Place, ...options: readonly string[]): Promise<string> {
  const running = place.start([
    'exec',
    ...options,
    ...['--approvals', 'wait', '--session', 's1', JSON.stringify(writeCall('a.txt', 'x\n', 'w'))],
  ]);
  await running.told('countersign approvals answer s1/w ');
  running.signal('SIGKILL');
  return (await running.ended()).stderr;
}

test('a session is resumed with the rules it was opened with, or not at all, at every door [P5] [A6]', async ({
  place,
}) => {
  const asking = rules(place, 'ask.toml', ASK_WRITES);
  const said = await killed(place, '--policy', asking);
  expect(said).toContain(`countersign approvals answer s1/w proceed_once --policy ${asking}`);
  const refusal = expect.stringContaining(
    `Session s1 was opened with the rules of ${asking}, which are not loaded here. It cannot continue without them.\n  Add to the command line: --policy ${asking}.`,
  );
  place.write('none.jsonl', '');
  const doors: readonly (readonly string[])[] = [
    ['approvals', 'answer', 's1/w', 'proceed_once'],
    ['exec', '--resume', 's1', JSON.stringify(readCall('a.txt', 'r'))],
    ['sessions', 'resume', 's1'],
    ['--resume', 's1', '-p', 'go on', '--fake-responses', join(place.workspace, 'none.jsonl')],
  ];
  for (const door of doors) expect(await place.run(door)).toMatchObject({ code: 1, stderr: refusal });
  expect(place.has('a.txt')).toBe(false);
  const yes = await place.run(['approvals', 'answer', 's1/w', 'proceed_once', '--policy', asking]);
  expect(yes).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('x\n');
});

test('the current content of a policy file counts [P5]', async ({ place }) => {
  const file = rules(place, 'rules.toml', ASK_WRITES);
  await killed(place, '--policy', file);
  rules(place, 'rules.toml', DENY_WRITES);
  const yes = await place.run(['approvals', 'answer', 's1/w', 'proceed_once', '--policy', file]);
  expect(yes).toMatchObject({ code: 1, stderr: expect.stringContaining('no writing') });
  expect(place.has('a.txt')).toBe(false);
});

test('a deleted policy file is reported as missing, and an empty one can replace it [P5]', async ({
  place,
}) => {
  mkdirSync(join(place.home, 'policies'), { recursive: true });
  const file = join(place.home, 'policies', 'mine.toml');
  writeFileSync(file, ASK_WRITES);
  await killed(place);
  rmSync(file);
  const readOn = ['exec', '--resume', 's1', JSON.stringify(readCall('a.txt'))];
  expect(await place.run(readOn)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a rules file may be empty'),
  });
  writeFileSync(file, '');
  expect(await place.run(['approvals', 'answer', 's1/w', 'proceed_once'])).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('x\n');
});

test('a copy of a session is bound by the rules, tools and sandbox of its source [P5]', async ({ place }) => {
  const denying = rules(place, 'deny.toml');
  const given = ['--policy', denying, '--tools', TEST_TOOLS, '--sandbox', 'required'];
  place.write('a.txt', 'there\n');
  const first = ['exec', '--mode', 'yolo', ...given, '--session', 's1', JSON.stringify(readCall('a.txt'))];
  expect(await place.run(first)).toMatchObject({ code: 0 });
  expect(await place.run(['sessions', 'fork', 's1', '--session', 's2'])).toMatchObject({ code: 0 });
  expect(await place.run(['sessions', 'fork', 's2', '--session', 's3'])).toMatchObject({ code: 0 });
  const write = JSON.stringify(writeCall('b.txt', 'x\n', 'w'));
  for (const copy of ['s2', 's3']) {
    expect(await place.run(['exec', '--resume', copy, write])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `Add to the command line: --policy ${denying} --tools ${TEST_TOOLS} --sandbox required.`,
      ),
    });
    const bound = await place.run(['exec', '--resume', copy, ...given, write]);
    expect(bound.stdout).toContain('no writing');
  }
  expect(place.has('b.txt')).toBe(false);
});

test('what is printed to resume a session names all that it was opened with [P5]', async ({ place }) => {
  const asking = rules(place, 'ask.toml', ASK_WRITES);
  mkdirSync(join(place.home, 'policies'), { recursive: true });
  writeFileSync(join(place.home, 'policies', 'mine.toml'), '');
  const given = ['--policy', asking, '--tools', TEST_TOOLS, '--sandbox', 'required'];
  await killed(place, ...given);
  const left = await place.run(['attach', 's1']);
  expect(left.stderr).toContain(`Resume it with: countersign exec --resume s1 ${given.join(' ')}\n`);
  const yes = await place.run(['approvals', 'answer', 's1/w', 'proceed_once', ...given]);
  expect(yes).toMatchObject({ code: 0 });
  const goOn = (id: string) => `countersign --resume ${id} ${given.join(' ')} -p "…"`;
  expect((await place.run(['sessions', 'resume', 's1'])).stderr).toContain(goOn('s1'));
  const forked = await place.run(['sessions', 'fork', 's1', '--session', 's2']);
  expect(forked.stderr).toContain(goOn('s2'));
});

test('a copy up to a point is bound by the rules that were added after it [P5]', async ({ place }) => {
  const denying = rules(place, 'deny.toml');
  place.write('a.txt', 'there\n');
  const read = (id: string) => JSON.stringify(readCall('a.txt', id));
  await place.run(['exec', '--mode', 'yolo', '--session', 's1', read('r1')]);
  await place.run(['exec', '--resume', 's1', '--policy', denying, read('r2')]);
  const forked = await place.run(['sessions', 'fork', 's1', '--at', 'r1', '--session', 's2']);
  expect(forked).toMatchObject({ code: 0 });
  const write = JSON.stringify(writeCall('b.txt', 'x\n', 'w'));
  expect(await place.run(['exec', '--resume', 's2', write])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Add to the command line: --policy ${denying}.`),
  });
  expect(place.has('b.txt')).toBe(false);
});

test('a session that was opened with tools or a stricter sandbox needs them again [P5] [B1]', async ({
  place,
}) => {
  const said = await killed(place, '--tools', TEST_TOOLS, '--sandbox', 'required');
  expect(said).toContain(`--tools ${TEST_TOOLS} --sandbox required`);
  const answer = ['approvals', 'answer', 's1/w', 'proceed_once'];
  expect(await place.run(answer)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the tools of .*test-tools\.mjs.*the sandbox set to "required"/),
  });
  expect(await place.run([...answer, '--tools', TEST_TOOLS])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--sandbox required'),
  });
  expect(await place.run([...answer, '--tools', TEST_TOOLS, '--sandbox', 'required'])).toMatchObject({
    code: 0,
  });
});
