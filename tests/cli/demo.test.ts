import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from './program.js';

test('without a terminal the demonstration plays itself, and leaves nothing behind [G4]', async ({
  place,
}) => {
  const { code, stdout, stderr } = await place.run(['demo']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('\u001b');
  for (const text of [
    'It asks for five things at once:',
    '✗ raed_file (error)\n    Tool "raed_file" not found in registry. Did you mean "read_file"?',
    '  │ -A log is finer.\n  │ +A countersigned log is finer.\n',
    'There is no terminal to ask in, so the demonstration says yes by itself.',
    '✓ write_file (success)',
    'What you were shown is what was written.',
    'Your turn:',
  ])
    expect(stdout).toContain(text);
  // The last read waits for the edit, and sees it.
  expect(stdout.split('✓ read_file (success)').at(-1)).toContain('A countersigned log is finer.');
  expect(readdirSync(join(place.directory, 'tmp'))).toEqual([]);
  expect(readdirSync(place.workspace)).toEqual([]);
});

test('the folder of the demonstration is kept on request [G4]', async ({ place }) => {
  const { code, stdout } = await place.run(['demo', '--keep']);
  expect(code).toBe(0);
  const [kept] = readdirSync(join(place.directory, 'tmp'));
  expect(stdout).toContain(`The folder is kept: ${join(place.directory, 'tmp', kept ?? '')}\n`);
});
