import { expect, test } from 'vitest';
import { FAULTS } from '../../scripts/faults/faults.mjs';
import { isAsExpected, plantFaults } from '../../scripts/plant-faults.mjs';

/** Seconds on an idle machine of two cores; others may be at work on it. */
const PLANTING_MAX_MS = 600_000;
/** Every third, from all over the kernel; `node scripts/plant-faults.mjs` plants them all and the unchanged kernel. */
const STRIDE = 3;

test(
  'the explorer finds the mistakes that somebody could make in the kernel',
  async () => {
    const planted = FAULTS.filter((_, index) => index % STRIDE === 0);
    const rows = await plantFaults({ only: planted.map(({ name }) => name) });
    const found = rows.filter((row) => row.found !== null);
    console.log(`${found.length} of ${rows.length} planted faults were found.`);
    const surprises = rows.filter((row) => !isAsExpected(row));
    expect(surprises.map(({ fault, found: by }) => `${fault.name}: ${by?.property ?? 'not found'}`)).toEqual(
      [],
    );
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(found.length).toBeGreaterThanOrEqual(18);
  },
  PLANTING_MAX_MS,
);
