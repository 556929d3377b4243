import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { errorOf, type Place, readCall, test } from './program.js';

const DENY_READING = `
[[rule]]
toolName = "read_file"
decision = "deny"
priority = 100
`;

function policy(place: Place, text: string, path = 'rules.toml'): string {
  const file = join(place.directory, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const read = (place: Place, ...args: string[]) => {
  place.write('a.txt', 'hello\n');
  return place.run(['exec', ...args, JSON.stringify(readCall('a.txt', 'r'))]);
};

test('a rule of --policy denies, and the result names its file and line [P1] [P2]', async ({ place }) => {
  const file = policy(place, DENY_READING);
  const { code, lines } = await read(place, '--policy', file);
  expect(code).toBe(1);
  expect(errorOf(lines[0])).toMatchObject({
    type: 'policy_violation',
    message: expect.stringContaining(`${file}:2`),
  });
});

test('the rules of the user hold without being named, in a fixed place [P2]', async ({ place }) => {
  const file = policy(place, DENY_READING, 'home/policies/mine.toml');
  const { code, lines } = await read(place);
  expect(code).toBe(1);
  expect(errorOf(lines[0]).message).toContain(`${file}:2`);

  // Without COUNTERSIGN_HOME, or with an empty one, the places of the desktop conventions count.
  const config = policy(place, DENY_READING, 'config/countersign/policies/mine.toml');
  const env = {
    COUNTERSIGN_HOME: '',
    XDG_CONFIG_HOME: join(place.directory, 'config'),
    XDG_STATE_HOME: join(place.directory, 'state'),
  };
  const other = await place.run(['exec', JSON.stringify(readCall('a.txt'))], { env });
  expect(errorOf(other.lines[0]).message).toContain(`${config}:2`);
  expect(place.has('../state/countersign/countersign.db')).toBe(true);
  expect(place.has('countersign.db')).toBe(false);
});

test('a policy file that cannot be used stops the start with file and line, and nothing runs [P2]', async ({
  place,
}) => {
  const broken = [
    ['[[rule]]\ntoolName = "x"\ndecision = \n', 3],
    ['[[rule]]\ntoolName = "read_file"\ndecision = "dny"\npriority = 1\n', 3],
  ] as const;
  for (const [text, line] of broken) {
    const file = policy(place, text);
    const { code, stdout, stderr } = await read(place, '--policy', file);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`countersign: ${file}:${line}: `);
    expect(stderr).toContain('Correct the file. No call runs until it loads.');
  }
  const { code, stderr } = await read(place, '--policy', join(place.directory, 'nowhere.toml'));
  expect(code).toBe(4);
  expect(stderr).toContain('nowhere.toml');
});

test('a rule that can never match is reported with file and line, and the rest counts [P2]', async ({
  place,
}) => {
  const file = policy(place, DENY_READING.replace('read_file', 'read_flie'));
  const { code, stderr } = await read(place, '--policy', file);
  expect(code).toBe(0);
  expect(stderr).toMatch(new RegExp(`^countersign: ${file}:\\d+: .*Did you mean "read_file"\\?`));
});
