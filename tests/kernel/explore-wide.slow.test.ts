import * as kernel from '@countersign/kernel';
import { expect, test } from 'vitest';
import { explore, PROPERTIES, WIDE_WORLDS } from '../../packages/testkit/src/explore/index.js';

/** Five seconds for the widest on an idle machine; others may be at work on it. */
const EXPLORING_MAX_MS = 300_000;

test.each(WIDE_WORLDS)(
  'nothing breaks in a wider world: $name [S2, S4, P6, J2]',
  (world) => {
    const { states, transitions, violations } = explore(world, kernel, { refoldEvery: 9 });
    console.log(`${world.name}: ${states} states, ${transitions} transitions`);
    const stories = violations.map(({ property, detail, path }) =>
      [PROPERTIES[property], detail, ...path].join('\n'),
    );
    expect(stories).toEqual([]);
    expect(states).toBeGreaterThan(400);
  },
  EXPLORING_MAX_MS,
);
