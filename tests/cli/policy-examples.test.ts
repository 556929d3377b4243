import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Place, readCall, test } from './program.js';

const RULES = (wrong: string) => `
[[rule]]
name = "status"
toolName = "run_shell_command"
commandPrefix = "git status"
decision = "allow"
priority = 5
matches = ["git status -s", "true; git status"]
notMatches = ["git statusx"${wrong}]

[[rule]]
toolName = "write_file"
argsPattern = '"file_path":"src/'
decision = "deny"
priority = 5
matches = [{ file_path = "src/a" }]
`;

function rulesFile(place: Place, wrong = ''): string {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, RULES(wrong));
  return file;
}

test('examples of rules are run, of commands too, and counted [P7] [P2]', async ({ place }) => {
  const file = rulesFile(place);
  const test = (...args: string[]) => place.run(['policy', 'test', '--policy', file, ...args]);
  const { code, stdout } = await test('--no-defaults');
  expect([code, stdout]).toEqual([0, '4 passed, 0 failed.\n']);
  const { lines } = await test('--no-defaults', '--json');
  expect(lines).toMatchObject([
    { file, line: 8, rule: 'status', says: 'matches', example: 'git status -s', holds: true },
    { example: 'true; git status' },
    { line: 9, says: 'notMatches', example: 'git statusx', holds: true },
    { line: 16, rule: null, example: { file_path: 'src/a' }, holds: true },
    { type: 'summary', passed: 4, failed: 0 },
  ]);
  expect((await test()).code).toBe(0);
});

test('policy test and doctor print how rules of other programs are interpreted, policy check does not [P2]', async ({
  place,
}) => {
  const file = rulesFile(place);
  const understood = `countersign: ${file}:13: argsPattern is matched on the argument file_path alone`;
  const said = async (...args: string[]) => (await place.run([...args, '--policy', file])).stderr;
  expect(await said('policy', 'test')).toContain(understood);
  expect(await said('policy', 'check', '--verbose', 'ls')).toContain(understood);
  expect(await said('policy', 'check', 'ls')).toBe('');
});

test('a wrong example is reported with file and line, all of them, and loading such rules fails [P7] [P2]', async ({
  place,
}) => {
  const file = rulesFile(place, ', "git status --short", "ls; git status", "/bin/git status"');
  const { code, stdout } = await place.run(['policy', 'test', '--policy', file, '--no-defaults']);
  expect(code).toBe(1);
  expect(stdout).toBe(`${file}:9: matches, and should not: git status --short\n6 passed, 1 failed.\n`);

  place.write('a.txt', '');
  const loading = await place.run(['exec', '--policy', file, JSON.stringify(readCall('a.txt'))]);
  expect(loading).toMatchObject({ code: 4, stdout: '' });
  expect(loading.stderr).toContain(`${file}:9: `);
  expect(loading.stderr).toContain('"git status --short"');
});

test('a file that does not load is reported with file and line, and nothing passes [P7] [P2]', async ({
  place,
}) => {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, '[[rule]]\ntoolName = "x"\ndecision = "maybe"\npriority = 1\n');
  const { code, stdout, stderr } = await place.run(['policy', 'test', '--policy', file]);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain(`${file}:3: `);
});

test('policy test reports if no rule has examples [P7]', async ({ place }) => {
  const { code, stdout } = await place.run(['policy', 'test', '--no-defaults']);
  expect([code, stdout]).toEqual([0, 'No rule has examples (matches, notMatches).\n']);
});
