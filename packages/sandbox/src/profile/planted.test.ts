import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isGuarded, PERSONS, Place, UNAVAILABLE } from '../testing/place.js';
import { plantedIn } from './planted.js';

const [person = { name: 'user', uid: 0, gid: 0 }] = PERSONS;

describe('protected names that were free', () => {
  let place: Place;
  beforeEach(() => {
    place = new Place(person);
  });
  afterEach(() => place.remove());
  const inside = (name: string) => join(place.workspace, name);

  test('are reported when they were made, each once and nothing else [B1] [P5]', () => {
    const profile = place.profile();
    expect(plantedIn(profile, isGuarded)).toEqual([]);
    place.put(inside('.vscode/tasks.json'));
    place.put(inside('.git/config'));
    place.put(inside('ordinary'));
    symlinkSync('/nowhere', inside('.envrc'));
    expect([...plantedIn(profile, isGuarded)].sort()).toEqual(['.envrc', '.git', '.vscode'].map(inside));
    expect(plantedIn(place.profile(), isGuarded)).toEqual([]);
  });

  test('are looked for in hidden directories too, one level down [B1] [P5]', () => {
    const isWorkflows = (path: string) => /\/\.github\/workflows(?:\/|$)/.test(path);
    place.put(inside('.github/other/x'));
    const profile = place.profile({ isGuarded: isWorkflows });
    place.put(inside('.github/workflows/ci.yml'));
    place.put(inside('deep/.github/workflows/ci.yml'));
    expect(plantedIn(profile, isWorkflows)).toEqual([inside('.github/workflows')]);
    const held = place.profile({ isGuarded: isWorkflows }).guards;
    expect(held).toEqual([{ path: inside('.github/workflows'), link: null, hold: 'fixed' }]);
  });

  test('are not reported if they were granted, or were removed [B1]', () => {
    const profile = place.profile({
      needs: [
        { needs: 'write', path: inside('.vscode'), scope: 'tree' },
        { needs: 'write', path: place.workspace, scope: 'tree' },
      ],
    });
    place.put(inside('.vscode/tasks.json'));
    place.put(inside('.envrc'));
    expect(plantedIn(profile, isGuarded)).toEqual([inside('.envrc')]);
    rmSync(inside('.envrc'));
    expect(plantedIn(profile, isGuarded)).toEqual([]);
  });

  test('are reported if they lead elsewhere now [B1]', () => {
    symlinkSync('one', inside('.envrc'));
    const profile = place.profile();
    rmSync(inside('.envrc'));
    symlinkSync('two', inside('.envrc'));
    expect(plantedIn(profile, isGuarded)).toEqual([inside('.envrc')]);
  });

  test('are reported where Git would read its settings from them [B1]', () => {
    place.put(inside('.git/config'));
    const profile = place.profile();
    writeFileSync(inside('.git/commondir'), '../elsewhere');
    expect(plantedIn(profile, isGuarded)).toEqual([inside('.git/commondir')]);
    // A repository without a directory `.git`: Git takes the workspace itself for it.
    for (const name of ['HEAD', 'config']) place.put(inside(name));
    for (const name of ['objects', 'refs', 'hooks']) mkdirSync(inside(name));
    expect([...plantedIn(profile, isGuarded)].sort()).toEqual(
      ['.git/commondir', 'config', 'hooks'].map(inside),
    );
  });

  test('hooks cannot be added to a repository that has no directory for them [B1]', (context) => {
    context.skip(UNAVAILABLE !== null, UNAVAILABLE ?? '');
    place.put(inside('.git/config'));
    const profile = place.profile();
    const ran = place.run(
      'mkdir -p .git/hooks; echo x >.git/hooks/pre-commit; rmdir .git/hooks; mv .git/hooks h',
      profile,
    );
    expect(ran.output.match(/Read-only file system|busy/g)).toHaveLength(3);
    expect(plantedIn(profile, isGuarded)).toEqual([]);
    expect(place.run('ls -A .git/hooks').output).toBe('');
  });
});
