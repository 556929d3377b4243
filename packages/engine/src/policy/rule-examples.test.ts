import { expect, test } from 'vitest';
import { type OnExample, parsePolicyFile } from './load-policy.js';

type Tried = Parameters<OnExample>[0];

/** Which of the example lines a rule about commands turns out to match. */
async function matched(conditions: string, lines: readonly string[]): Promise<readonly string[]> {
  const matches = JSON.stringify(lines);
  const text = `[[rule]]\ntoolName = "run_shell_command"\npriority = 1\nmatches = ${matches}\n${conditions}\n`;
  const tried: Tried[] = [];
  const onExample = (each: Tried) => void tried.push(each);
  expect(await parsePolicyFile(text, { file: 'a.toml', tier: 'user', onExample })).toMatchObject({
    ok: true,
  });
  return tried.filter(({ holds }) => holds).map(({ example }) => String(example));
}

test('a rule that allows matches the lines that it lets pass on its own [P2]', async () => {
  const lines = [
    'git status -s',
    'git status | git status',
    'true && git status',
    'true',
    'git statusx',
    'git status && ls',
    'git status > out',
    './git status',
    'git status $(ls)',
  ];
  expect(await matched('commandPrefix = "git status"\ndecision = "allow"', lines)).toEqual(lines.slice(0, 3));
  expect(
    await matched('commandPrefix = "git status"\ndecision = "allow"\nallowRedirection = true', lines),
  ).toContain('git status > out');
});

test('a rule that denies or asks matches every line with a command that it names [P2]', async () => {
  const lines = ['rm x', 'ls; sudo /bin/rm x', 'echo "$(rm x)"', 'echo rm', 'ls'];
  for (const decision of ['deny', 'ask_user'])
    expect(await matched(`commandPrefix = "rm"\ndecision = "${decision}"`, lines)).toEqual(lines.slice(0, 3));
});

test('an argsPattern about a command has the arguments as examples, and matches each command [P2]', async () => {
  const rule = (examples: string) => `[[rule]]
toolName = "run_shell_command"
argsPattern = '"command":"git (status|log)'
decision = "deny"
priority = 1
${examples}
`;
  const parse = (examples: string) => parsePolicyFile(rule(examples), { file: 'a.toml', tier: 'user' });
  const right = 'matches = [{ command = "git log" }, { command = "ls; git status" }]';
  expect(await parse(`${right}\nnotMatches = [{ command = "git push" }, { x = 1 }]`)).toMatchObject({
    ok: true,
  });
  expect(await parse('matches = [{ command = "git push" }]')).toMatchObject({
    ok: false,
    failure: { line: 6, problem: 'the rule does not match its example {"command":"git push"}' },
  });
});
