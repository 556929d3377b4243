import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, type Line, type Place, readCall, test, writeCall } from './program.js';

type Decision = 'allow' | 'ask_user' | 'deny';
type PlainRule = {
  readonly tool: string;
  /** Of a command, or of the path of a file; null for every call. */
  readonly begins: string | null;
  readonly decision: Decision;
  readonly priority: number;
};
type PlainCall = { readonly id: string; readonly tool: string; readonly subject: string };

const CALLS = 1_000;
const STRICTNESS: { readonly [D in Decision]: number } = { allow: 0, ask_user: 1, deny: 2 };
const BY_DEFAULT: { readonly [tool: string]: Decision } = {
  read_file: 'allow',
  write_file: 'ask_user',
  run_shell_command: 'ask_user',
};

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function madeUp(seed: number): {
  readonly calls: readonly PlainCall[];
  readonly rules: readonly PlainRule[];
} {
  const next = numbers(seed);
  const tools = Object.keys(BY_DEFAULT);
  const toolAt = () => tools[next(tools.length)] ?? '';
  const subjectFor = (tool: string) =>
    tool === 'run_shell_command'
      ? `prog${next(4)} sub${next(4)} x${next(9)}`
      : `dir${next(3)}/file${next(4)}.txt`;
  const beginning = (tool: string) => {
    const words = subjectFor(tool).split(tool === 'run_shell_command' ? ' ' : '.');
    return next(6) === 0 ? null : words.slice(0, 1 + next(2)).join(tool === 'run_shell_command' ? ' ' : '.');
  };
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const tool = toolAt();
    return { id: `c${index}`, tool, subject: subjectFor(tool) };
  });
  const rules = Array.from({ length: 40 }, (): PlainRule => {
    const tool = toolAt();
    const decision = (['allow', 'ask_user', 'deny'] as const)[next(3)] ?? 'deny';
    return { tool, begins: beginning(tool), decision, priority: next(20) };
  });
  return { calls, rules };
}

/** As simple as can be: every rule is held against the call, and the strongest that fits decides. */
function bruteForce({ tool, subject }: PlainCall, rules: readonly PlainRule[]): Decision {
  const [strongest] = rules
    .filter((rule) => rule.tool === tool && fits(rule, subject))
    .toSorted((a, b) => b.priority - a.priority || STRICTNESS[b.decision] - STRICTNESS[a.decision]);
  return strongest?.decision ?? BY_DEFAULT[tool] ?? 'deny';
}

function fits({ tool, begins }: PlainRule, subject: string): boolean {
  if (begins === null) return true;
  return tool === 'run_shell_command' ? `${subject} `.startsWith(`${begins} `) : subject.startsWith(begins);
}

function toml({ tool, begins, decision, priority }: PlainRule): string {
  const condition =
    begins === null
      ? ''
      : tool === 'run_shell_command'
        ? `commandPrefix = "${begins}"`
        : `argsPattern = '"file_path":"${begins.replace('.', '\\.')}'`;
  return `[[rule]]\ntoolName = "${tool}"\n${condition}\ndecision = "${decision}"\npriority = ${priority}\n`;
}

function asCall({ id, tool, subject }: PlainCall): Line {
  if (tool === 'read_file') return readCall(subject, id);
  if (tool === 'write_file') return writeCall(subject, `by ${id}`, id);
  return { id, name: tool, args: { command: subject } };
}

const replay = (place: Place, ...args: string[]) => place.run(['policy', 'replay', ...args]);

test('a history of 1,000 calls, judged by other rules, equals a brute-force evaluation [P7]', async ({
  place,
}) => {
  const { calls, rules } = madeUp(7);
  for (const dir of [0, 1, 2]) for (const file of [0, 1, 2, 3]) place.write(`dir${dir}/file${file}.txt`, '');
  const history = ['exec', '--approvals', 'stdio', '--session', 'long'];
  const made = await place.run(history, { stdin: asLines(calls.map(asCall)) });
  expect(made.code).toBe(3);

  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, rules.map(toml).join('\n'));
  const { code, lines } = await replay(place, '--policy', file, '--json');
  expect(code).toBe(0);

  const expected = calls
    .map((call) => ({ call: `long/${call.id}`, before: bruteForce(call, []), now: bruteForce(call, rules) }))
    .filter(({ before, now }) => before !== now);
  const decisionIn = (verdict: unknown) => (verdict as { readonly decision: unknown }).decision;
  const found = lines
    .filter(({ type }) => type === 'difference')
    .map(({ call, before, now }) => ({ call, before: decisionIn(before), now: decisionIn(now) }));
  const byCall = (a: { readonly call: unknown }, b: { readonly call: unknown }) =>
    String(a.call).localeCompare(String(b.call));
  expect(found.toSorted(byCall)).toEqual(expected.toSorted(byCall));
  expect(lines.at(-1)).toMatchObject({
    type: 'summary',
    judged: CALLS,
    same: CALLS - expected.length,
    differ: expected.length,
  });
  // Of every kind of change there are some, or the comparison would prove little.
  expect(new Set(expected.map(({ before, now }) => `${before} -> ${now}`)).size).toBe(4);

  const same = await replay(place);
  expect(same.stdout).toBe('1000 re-evaluated, 0 would differ.\n');
});

test('what would differ is reported with both rules, in the circumstances of then [P7] [P1]', async ({
  place,
}) => {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(
    file,
    '[[rule]]\nname = "no reading"\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\n',
  );
  place.write('a.txt', '');
  const run = (session: string, mode: string) =>
    place.run(['exec', '--session', session, '--mode', mode], {
      stdin: asLines(readCall('a.txt', 'r'), writeCall('a.txt', 'x', 'w')),
    });
  await run('s1', 'manual');
  await run('s2', 'yolo');

  const { code, stdout } = await replay(place, '--policy', file, '--session', 's2');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    's2/r  Read a.txt',
    expect.stringMatching(/^ {2}before {2}allow, by "reading" default-policy\.toml:\d+ \(default 50\): /),
    `  now     deny, by "no reading" ${file}:1 (user 1): Rule "no reading" (${file}:1) denies this call.`,
    '2 re-evaluated, 1 would differ: 1 allow -> deny.',
    '',
  ]);
  const both = await replay(place, '--policy', file, '--json');
  expect(both.lines).toMatchObject([{ call: 's1/r' }, { call: 's2/r' }, { judged: 4, differ: 2 }]);
});

test('a session that is not there is a clear refusal, and no store is no history [P7]', async ({ place }) => {
  expect(await replay(place)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^No calls were evaluated/),
  });
  await place.run(['exec', '--session', 's1', JSON.stringify(readCall('a.txt'))]);
  expect(await replay(place, '--session', 's9')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"s9"'),
  });
});
