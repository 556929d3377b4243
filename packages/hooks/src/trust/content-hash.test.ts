import { symlinkSync, unlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHooks } from '../settings/read-hooks.js';
import { HookPlace } from '../testing/hook-place.js';
import { contentOf } from './content-hash.js';
import { filesOf } from './files-of.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
  place.put('hooks/check.sh', 'echo one');
  place.put('hooks/my check.sh', 'echo two');
  place.put('hooks/rules.json', '{}');
});
afterEach(() => place.remove());

async function definition(command: string, more: object = {}, group: object = {}) {
  const hooks = [{ type: 'command', command, ...more }];
  const read = await readHooks({ hooks: { BeforeTool: [{ ...group, hooks }] } }, 'project', 'settings.json');
  const [hook] = read.hooks;
  if (hook === undefined) throw new Error(JSON.stringify(read.problems));
  return hook;
}
const hashOf = async (...given: Parameters<typeof definition>) =>
  (await contentOf(await definition(...given), place.workspace)).hash;

describe('the files that a command names [H4] [P8]', () => {
  test.each([
    ['hooks/check.sh', ['hooks/check.sh']],
    ['./hooks/../hooks/check.sh --all', ['hooks/check.sh']],
    ['bash -e hooks/check.sh', ['hooks/check.sh']],
    ['$GEMINI_PROJECT_DIR/hooks/check.sh', ['hooks/check.sh']],
    ['"${CLAUDE_PROJECT_DIR}"/hooks/check.sh', ['hooks/check.sh']],
    ['"hooks/my check.sh"', ['hooks/my check.sh']],
    ['hooks/my\\ check.sh', ['hooks/my check.sh']],
    ['cd hooks && ./check.sh', ['hooks/check.sh']],
    [`sh -c 'hooks/check.sh | tee log'`, ['hooks/check.sh']],
    ['echo $(hooks/check.sh)', ['hooks/check.sh']],
    ['guard --rules=hooks/rules.json;hooks/check.sh', ['hooks/check.sh', 'hooks/rules.json']],
    ['cat <hooks/rules.json', ['hooks/rules.json']],
    ['echo hello', []],
    ['/bin/sh -c true', []],
    ['hooks', []],
    ['../elsewhere/check.sh', []],
  ])('%s', async (command, expected) => {
    const files = filesOf(await definition(command), place.workspace);
    expect(files.map((file) => relative(place.workspace, file))).toEqual(expected);
  });

  test('also where the path of the workspace has blanks', async () => {
    const odd = new HookPlace('a b');
    try {
      const script = odd.put('hooks/check.sh', 'true');
      for (const command of [
        '$GEMINI_PROJECT_DIR/hooks/check.sh',
        'cd "$CLAUDE_PROJECT_DIR" && hooks/check.sh',
      ])
        expect(filesOf(await definition(command), odd.workspace)).toEqual([script]);
    } finally {
      await odd.remove();
    }
  });

  test('also by their absolute path, through a link, and through a path of its environment', async () => {
    const path = join(place.workspace, 'hooks/check.sh');
    expect(filesOf(await definition(path), place.workspace)).toEqual([path]);
    expect(filesOf(await definition('check.sh', { env: { PATH: './hooks:/bin' } }), place.workspace)).toEqual(
      [path],
    );
    const link = join(place.workspace, '..', 'link');
    symlinkSync(place.workspace, link);
    try {
      expect(filesOf(await definition(join(link, 'hooks/check.sh')), link)).toHaveLength(1);
    } finally {
      unlinkSync(link);
    }
  });
});

describe('the hash of a hook', () => {
  test('stays while nothing of it changes, wherever it stands in the settings [H4] [P8]', async () => {
    const first = await hashOf('hooks/check.sh');
    place.put('hooks/other.sh', 'echo three');
    expect(await hashOf('hooks/check.sh', { description: 'The guard' })).toBe(first);
  });

  test.each([
    ['its script', () => place.put('hooks/check.sh', 'echo evil')],
    [
      'its script, by becoming a link',
      () => {
        place.put('hooks/evil.sh', 'echo evil');
        unlinkSync(join(place.workspace, 'hooks/check.sh'));
        symlinkSync('evil.sh', join(place.workspace, 'hooks/check.sh'));
      },
    ],
    ['a script that was not there', () => place.put('missing.sh', '')],
    ['a script that was deleted', () => unlinkSync(join(place.workspace, 'hooks/check.sh'))],
  ])('changes with %s [H4] [P8]', async (_, change) => {
    const command = 'hooks/check.sh && ./missing.sh';
    const first = await hashOf(command);
    change();
    expect(await hashOf(command)).not.toBe(first);
  });

  test.each<[string, ...Parameters<typeof definition>]>([
    ['command', 'hooks/check.sh -q'],
    ['name', 'hooks/check.sh', { name: 'x' }],
    ['environment', 'hooks/check.sh', { env: { A: 'b' } }],
    ['time limit', 'hooks/check.sh', { timeout: 5 }],
    ['way to fail', 'hooks/check.sh', { onFailure: 'ignore' }],
    ['matcher', 'hooks/check.sh', {}, { matcher: 'glob' }],
    ['turn', 'hooks/check.sh', {}, { sequential: true }],
  ])('changes with its %s [H4] [P8]', async (_, ...given) => {
    expect(await hashOf(...given)).not.toBe(await hashOf('hooks/check.sh'));
  });
});
