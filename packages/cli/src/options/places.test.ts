import { expect, test } from 'vitest';
import { configDirectory, storeDirectory } from './places.js';

// Not with the program: a mistake would write into the system.
test.each(['/', '//', '/usr/..', '/etc', '/etc/new', '/usr', '/proc/self/root'])(
  'COUNTERSIGN_HOME=%s is refused, since it is a directory of the system [C5]',
  (home) => {
    for (const place of [storeDirectory, configDirectory])
      expect(() => place({ COUNTERSIGN_HOME: home })).toThrow(/a directory of the system/);
  },
);

test.each(['/var/lib/countersign', '/opt/countersign/home', '/home/ann/x', '/srv/countersign'])(
  'COUNTERSIGN_HOME=%s is a directory of its own [C5]',
  (home) => {
    expect(storeDirectory({ COUNTERSIGN_HOME: home })).toBe(home);
  },
);
