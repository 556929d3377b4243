import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, type Line, type Place, test, writeCall } from './program.js';

const RULES = `
[[rule]]
name = "no pushing"
toolName = "run_shell_command"
commandPrefix = "git push"
decision = "deny"
priority = 100

[[rule]]
toolName = "run_shell_command"
decision = "ask_user"
priority = 10
modes = ["yolo"]
`;

function rulesFile(place: Place): string {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, RULES);
  return file;
}

test('a hypothetical decision is reported with its circumstances and every rule considered, in order [P7] [P1]', async ({
  place,
}) => {
  const file = rulesFile(place);
  const explain = (...args: string[]) => place.run(['policy', 'explain', '--policy', file, ...args]);
  const { code, stdout } = await explain('ls && git push');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    `deny: Rule "no pushing" (${file}:2) denies \`git push\`.`,
    '  allow     ls',
    '  deny      git push',
    '',
    'run_shell_command {"command":"ls && git push"}',
    expect.stringMatching(/^ {2}mode manual, somebody attached, policy [0-9a-f]{12}$/),
    '  git may change something',
    '',
    'Considered, in this order (> marks the rule that decided):',
    expect.stringMatching(
      /^ {2}> "looking around" default-policy\.toml:\d+ \(default 50\): .* allows `ls`\.$/,
    ),
    `  > "no pushing" ${file}:2 (user 100): Rule "no pushing" (${file}:2) denies \`git push\`.`,
    '',
    '',
  ]);
  const { lines } = await explain('--json', 'write_file', '{"file_path":"a.txt","content":""}');
  expect(lines).toMatchObject([
    {
      decision: 'ask_user',
      tool: 'write_file',
      mode: 'manual',
      interactive: true,
      policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      resources: [{ kind: 'fs.write', path: join(place.workspace, 'a.txt'), place: 'workspace' }],
      trace: [{ rule: { name: 'editing' }, met: true }],
    },
  ]);
});

test('what the circumstances made of it is part of the story [P1] [P7]', async ({ place }) => {
  const call = { tool: 'run_shell_command', args: { command: 'make' }, interactive: false };
  const { lines } = await place.run(['policy', 'explain', '--json'], {
    stdin: asLines(call, { ...call, tool: 1 }),
  });
  expect(lines).toMatchObject([
    {
      decision: 'deny',
      trace: expect.arrayContaining([
        { rule: null, met: true, why: expect.stringMatching(/^No user is attached/) },
      ]),
    },
    { error: { type: 'invalid_request' } },
  ]);
});

test('a past decision is reported from the journal, with the rules that were in force [P7] [J1]', async ({
  place,
}) => {
  const running = place.start(['exec', '--approvals', 'stdio', '--session', 's1']);
  running.say(writeCall('a.txt', 'x', 'w'));
  running.answer(await running.approval('w'), 'proceed_always', { payload: {} });
  await running.line({ callId: 'w' });
  running.say(writeCall('b.txt', 'x', 'v'));
  await running.line({ callId: 'v' });
  running.end();
  await running.ended();

  const explain = (...args: string[]) => place.run(['policy', 'explain', '--call', ...args]);
  const { code, stdout } = await explain('s1/w');
  expect(code).toBe(0);
  const time = String.raw`\d{4}-\S+Z`;
  expect(stdout.split('\n')).toEqual([
    's1/w',
    expect.stringMatching(new RegExp(`^  ${time} A client requested write_file \\{"file_path":"a.txt"`)),
    expect.stringMatching(
      /^ {2}Planned: Write a\.txt \(new file\)\. Rules say ask by editing \(default, default-policy\.toml:\d+\): Rule "editing"/,
    ),
    expect.stringMatching(
      new RegExp(`^  ${time} The user was asked, and could choose proceed_once, proceed_always, `),
    ),
    expect.stringMatching(new RegExp(`^  ${time} \\S+ answered proceed_always$`)),
    expect.stringMatching(new RegExp(`^  ${time} \\S+ created a grant \\(session\\)$`)),
    expect.stringMatching(/^ {2}It may run: \S+ allowed it$/),
    expect.stringMatching(new RegExp(`^  ${time} It started$`)),
    expect.stringMatching(new RegExp(`^  ${time} It succeeded$`)),
    expect.stringMatching(/^Evaluated in mode manual with the policy [0-9a-f]{12}\.$/),
    '',
  ]);
  expect((await explain('s1/v')).stdout).toMatch(/It may run: the grant \S+ allows it/);

  const { lines } = await explain('s1/v', '--json');
  const [past = {}] = lines;
  const types = (past['events'] as readonly { readonly event: Line }[]).map(({ event }) => event['type']);
  expect(types).toEqual(['call.requested', 'call.planned', 'call.granted', 'call.started', 'call.succeeded']);
  const now = await place.run(['policy', 'explain', '--json', 'ls']);
  expect(past).toMatchObject({ call: 's1/v', mode: 'manual', policy: now.lines[0]?.['policy'] });
});

test('a call that is not in the journal is a clear refusal, and makes no store [P7]', async ({ place }) => {
  const explain = (...args: string[]) => place.run(['policy', 'explain', ...args]);
  expect(await explain('--call', 's1/w')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('"s1"'),
  });
  expect(place.has('../home/countersign.db')).toBe(false);
  await place.run(['exec', '--session', 's1', '{"name":"list_directory","args":{"dir_path":"."}}']);
  expect(await explain('--call', 's1/w')).toMatchObject({ code: 1, stderr: expect.stringContaining('"w"') });
  expect(await explain('--call', 'w')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SESSION/CALL'),
  });
  expect(await explain('--call', 's1/w', '--mode', 'yolo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be combined with --mode'),
  });
});
