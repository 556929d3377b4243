import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Place, PROGRAM, test } from './program.js';

const leftBehind = (place: Place) => readdirSync(join(place.directory, 'tmp'));
/** All of these in this order, whatever stands between them. */
const inOrder = (...texts: readonly string[]) =>
  expect.stringMatching(
    new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*'), 's'),
  );

test('in a pipe the demonstration does not ask, declines the edit, and leaves no files behind [G4]', async ({
  place,
}) => {
  const { code, stdout, stderr } = await place.run(['demo']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toEqual(
    inOrder(
      '✓ Search for "log" in . (',
      '✗ cd drafts && timeout 5 /bin/rm old.txt\n    Decided by rule "nothing is deleted" (rules.toml:1).\n',
      'Sent to the model: Denied by policy: Files must not be deleted here.',
      'Model: Then the draft stays.',
      '  │ -A log is finer.\n  │ +A countersigned log is finer.\n',
      'There is no terminal to ask in: declined. Use --yes to approve.',
      '– Edit poem.txt\n    Decided by the demonstration, after',
      'Sent to the model: User did not allow tool call',
      'Model: Then the poem stays as it is.',
      // Beside the command, not after it; and its output before its end.
      '✓ Search for "countersigned" in . (',
      '    │ proofreading, pass 3',
      '    │ 9 poem.txt\n  ✓ for pass in',
      'Model: The poem ends with “A log is finer.”',
      'Your turn:',
    ),
  );
  expect(accountIn(stdout)).toEqual([
    '  ✓ Read poem.txt  N  rule "reading"',
    '  ✓ Read drafts/old.txt  N  rule "reading"',
    '  ✓ Search for "log" in .  N  rule "reading"',
    '  ✗ cd drafts && timeout 5 /bin/rm old.…  not run  rule "nothing is deleted"',
    '  – Edit poem.txt  not run  the demonstration, after N',
    '  ✓ for pass in 1 2 3; do echo "proofre…  N  rule "looking around"',
    '  ✓ Read poem.txt  N  rule "reading"',
    '  ✓ Search for "countersigned" in .  N  rule "reading"',
  ]);
  expect(leftBehind(place)).toEqual([]);
  expect(readdirSync(place.workspace)).toEqual([]);
});

/** What the end says of each call, with N for times. */
function accountIn(stdout: string): readonly string[] {
  const [, account = ''] = stdout.split('who decided:\n');
  const rows = account.split('\n\n')[0]?.split('\n') ?? [];
  return rows.map((row) => row.replace(/(?<=\S) {2,}/g, '  ').replace(/\d+(\.\d)? m?s/g, 'N'));
}

test('--yes approves the edit, --keep keeps the folder, and the settings of the user are not used [G4]', async ({
  place,
}) => {
  mkdirSync(join(place.home, 'policies'), { recursive: true });
  writeFileSync(
    join(place.home, 'policies', 'nothing.toml'),
    '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n',
  );
  const { code, stdout } = await place.run(['demo', '--yes', '--keep']);
  expect(code).toBe(0);
  expect(stdout).toEqual(
    inOrder(
      '--yes was given: approved.',
      '✓ Edit poem.txt',
      'Model: The poem ends with “A countersigned log is finer.”',
      '  ✓ Edit poem.txt ',
      '  --yes, after ',
    ),
  );
  const [kept = ''] = leftBehind(place);
  const folder = join(place.directory, 'tmp', kept);
  expect(stdout).toContain(`The folder was kept: ${folder}\n`);
  expect(readFileSync(join(folder, 'work/poem.txt'), 'utf8')).toContain('A countersigned log is finer.\n');
  // What was denied did not happen.
  expect(readdirSync(join(folder, 'work/drafts'))).toEqual(['old.txt']);
});

test('a closed output ends the demonstration, which clears its folder away anyway [G4]', ({ place }) => {
  const { stdout, status } = spawnSync(
    'bash',
    ['-c', '"$0" "$1" demo | head -n 1; exit "${PIPESTATUS[0]}"', process.execPath, PROGRAM],
    { env: place.environment, encoding: 'utf8' },
  );
  expect(stdout).toMatch(/^A scripted model is working in .*\n$/);
  expect(status).toBe(1);
  expect(leftBehind(place)).toEqual([]);
});
