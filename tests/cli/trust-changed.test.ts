import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { script } from './hook-settings.js';
import { errorOf, type Place, test } from './program.js';
import { ALLOW_WRITING, DENY_READING, furnish, RULES, trust } from './trusted-place.js';

describe('after a change', () => {
  const CHANGES: readonly [string, (place: Place) => void, string][] = [
    ['a rule', (place) => place.write(RULES, `${DENY_READING}${ALLOW_WRITING}\n`), `${RULES} was changed`],
    [
      'another rule file',
      (place) => place.write('.countersign/policies/more.toml', ''),
      'more.toml was added',
    ],
    ['no rule file', (place) => rmSync(join(place.workspace, RULES)), `${RULES} was removed`],
    [
      'the settings',
      (place) => place.write('.countersign/settings.json', '{"approvalMode":"yolo"}'),
      'settings.json was changed',
    ],
    [
      'a script',
      (place) => script(place, 'scripts/check.sh', 'echo evil >> canary'),
      'scripts/check.sh was changed',
    ],
    [
      'no script',
      (place) => renameSync(join(place.workspace, 'scripts'), join(place.workspace, 'other')),
      'scripts/check.sh was removed',
    ],
  ];
  test.for(CHANGES)(
    'to %s nothing takes effect until the user confirms again, and the changes are reported [P8]',
    async ([, change, said], { place }) => {
      furnish(place);
      await trust(place, '--yes');
      change(place);
      const list = JSON.stringify({ name: 'list_directory', args: { dir_path: '.' } });
      const { stderr } = await place.run(['exec', list]);
      expect([stderr, place.has('canary')]).toEqual([expect.stringContaining(said), false]);
      expect(stderr).toContain('has changed since it was trusted');
      expect((await trust(place, '--list')).stdout).toContain(said);
      expect((await trust(place, '--yes')).code).toBe(0);
      expect((await place.run(['exec', list])).stderr).not.toContain('trusted');
    },
  );

  test('that removes every file is reported, too: the user may rely on a deleted rule [P8]', async ({
    place,
  }) => {
    place.write(RULES, DENY_READING);
    await trust(place, '--yes');
    rmSync(join(place.workspace, RULES));
    const list = JSON.stringify({ name: 'list_directory', args: { dir_path: '.' } });
    expect((await place.run(['exec', list])).stderr).toContain(`${RULES} was removed.`);
    expect((await trust(place)).code).toBe(0);
    expect((await place.run(['exec', list])).stderr).toBe('');
  });

  test('while a session runs, a hook is not run as it is now, and what it guards is refused [P8] [H4]', async ({
    place,
  }) => {
    furnish(place);
    await trust(place, '--yes');
    const talking = place.start(['exec', '--approvals', 'stdio']);
    talking.say({ id: 'one', name: 'list_directory', args: { dir_path: '.' } });
    await talking.line({ callId: 'one', status: 'success' });
    script(place, 'scripts/check.sh', 'echo evil >> canary');
    talking.say({ id: 'two', name: 'list_directory', args: { dir_path: '.' } });
    talking.end();
    expect(errorOf(await talking.line({ callId: 'two' }))).toMatchObject({
      type: 'hook_denied',
      message: expect.stringContaining('scripts/check.sh was changed'),
    });
    expect(place.read('canary')).toBe('ran\n');
  });
});
