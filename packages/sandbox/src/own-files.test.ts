import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownFilesIn } from './own-files.js';
import { PERSONS, Place, UNAVAILABLE } from './testing/place.js';

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const stateOf = (path: string) => {
  const { dev, ino, mode, uid, gid, ctimeMs } = statSync(path);
  return { identity: `${dev}:${ino}`, mode, uid, gid, ctimeMs };
};
const machines = () => DEVICES.map((name) => stateOf(`/dev/${name}`));

describe.each(PERSONS)('confined as $name', (person) => {
  skipBecause(UNAVAILABLE);
  let place: Place;
  beforeEach(() => {
    place = new Place(person);
  });
  afterEach(() => place.remove());

  test('a hidden file reads as empty, and neither it nor its mode, owner or times can be changed [B1]', () => {
    const hidden = place.put(join(place.home, '.npmrc'), 'SECRET');
    const before = machines();
    const { output } = place.run(
      [
        `cat ${hidden}; [ -f ${hidden} ] && echo a file`,
        `chmod a+rw ${hidden} && echo changed`,
        `chown "$(id -u)" ${hidden} && echo changed`,
        `touch ${hidden} && echo changed`,
        `setfattr -n user.a -v b ${hidden} 2>&1 && echo changed`,
        `echo x >>${hidden} && echo changed`,
        `rm -f ${hidden} && echo changed`,
        `mv ${hidden} ${hidden}.old && echo changed; exit 0`,
      ].join('\n'),
    );
    expect(output).toMatch(/^a file/);
    expect(output).not.toMatch(/changed|SECRET/);
    expect(output).toMatch(/Read-only file system/);
    expect(readFileSync(hidden, 'utf8')).toBe('SECRET');
    expect(machines()).toEqual(before);
  });

  test('no device that it could change is one of the machine [B1]', () => {
    // Their own modes: nothing would happen to the machine if this test failed.
    const before = machines();
    const { output } = place.run(
      `for name in ${DEVICES.join(' ')}; do chmod a+rw /dev/$name 2>/dev/null && stat -c %d:%i /dev/$name; done; exit 0`,
    );
    const changed = output.split('\n');
    for (const { identity } of before) expect(changed).not.toContain(identity);
    expect(machines()).toEqual(before);
  });

  test('devices do what they do elsewhere [B1]', () => {
    const { output } = place.run(
      [
        'echo gone >/dev/null && cat </dev/null',
        'head -c 3 /dev/zero | od -An -tx1 | tr -d " "',
        'head -c 8 /dev/urandom | wc -c; head -c 8 /dev/random | wc -c',
        'echo x >/dev/full || echo full',
      ].join('\n'),
    );
    expect(output.split('\n').filter((line) => !line.includes('No space'))).toEqual([
      '000000',
      '8',
      '8',
      'full',
    ]);
  });
});

test('devices that a command changed are put right for the next [B1]', (context) => {
  context.skip(UNAVAILABLE !== null, UNAVAILABLE ?? '');
  context.skip(process.geteuid?.() !== 0, 'Only root has devices of its own there.');
  const place = new Place(PERSONS[0] ?? { name: 'root', uid: 0, gid: 0 });
  try {
    place.run('chmod 000 /dev/null; exit 0');
    expect(place.run('echo gone >/dev/null && echo ran').output).toBe('ran');
    const { devices, empty } = ownFilesIn(join(place.base, 'own'));
    expect(devices.map(({ path }) => lstatSync(path).mode & 0o777)).toEqual(DEVICES.map(() => 0o666));
    expect(readFileSync(empty, 'utf8')).toBe('');
  } finally {
    place.remove();
  }
});
