import { expect, test } from 'vitest';
import { isAsExpected, plantFaults } from '../../scripts/plant-faults.mjs';

/** A minute on an idle machine of two cores; others may be at work on it. */
const PLANTING_MAX_MS = 900_000;

test(
  'the explorer finds the mistakes that somebody could make in the kernel',
  async () => {
    const rows = await plantFaults();
    const found = rows.filter((row) => row.found !== null);
    console.log(`${found.length} of ${rows.length - 1} planted faults were found.`);
    const surprises = rows.filter((row) => !isAsExpected(row));
    expect(surprises.map(({ fault, found: by }) => `${fault.name}: ${by?.property ?? 'not found'}`)).toEqual(
      [],
    );
    expect(found.length).toBeGreaterThanOrEqual(70);
  },
  PLANTING_MAX_MS,
);
