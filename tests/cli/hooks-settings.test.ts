import { describe, expect } from 'vitest';
import { userSettings } from './hook-settings.js';
import { type Line, type Place, readCall, test, writeCall } from './program.js';

const exec = (place: Place, call: Line, ...args: string[]) =>
  place.run(['exec', ...args, JSON.stringify(call)]);

describe('settings', () => {
  test('that cannot be read stop the start with file, line and column, and nothing runs [C5]', async ({
    place,
  }) => {
    userSettings(place, '{\n  "sandbox": "of"\n}');
    const { code, stdout, stderr } = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([code, stdout, place.has('a.txt')]).toEqual([4, '', false]);
    expect(stderr).toContain(
      `${place.home}/settings.json:2:14: "sandbox" must be one of "off", "on", "required"`,
    );
  });

  test('of hooks that would omit a guard stop it too, others are reported [H3]', async ({ place }) => {
    userSettings(place, '{ "hooks": {\n "BeforTool": [] } }');
    const broken = await exec(place, readCall('a.txt'));
    expect([broken.code, broken.stderr]).toEqual([
      4,
      expect.stringContaining('settings.json:2:15: hooks.BeforTool'),
    ]);
    userSettings(place, '{\n "hoks": {} }');
    const told = await exec(place, { name: 'list_directory', args: { dir_path: '.' } });
    expect([told.code, told.stderr]).toEqual([
      0,
      expect.stringContaining('settings.json:2: The key "hoks" is not known'),
    ]);
  });

  test('set the approval mode of new sessions; a flag counts more [C5]', async ({ place }) => {
    userSettings(place, { approvalMode: 'yolo' });
    expect((await exec(place, writeCall('a.txt', 'x'))).code).toBe(0);
    expect((await exec(place, writeCall('b.txt', 'x'), '--mode', 'manual')).code).toBe(1);
    const env = { COUNTERSIGN_MODE: 'plan' };
    expect((await place.run(['exec', JSON.stringify(writeCall('c.txt', 'x'))], { env })).code).toBe(1);
  });
});
