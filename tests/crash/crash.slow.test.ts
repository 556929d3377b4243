import { describe, expect, test } from 'vitest';
import { type Group, KILL_POINTS } from './kill-points.mjs';
import { planRoundAt } from './round-plan.mjs';
import { reportOf, runRounds } from './run-rounds.mjs';

// The smaller form: some rounds of every kind. The long form is `node tests/crash/run.mjs --rounds 200`.

const SEED = 20_261_115;
/** Five rounds take about ten seconds; a busy machine gets more, and a hang is found by the round itself. */
const TIMEOUT_MS = 300_000;

/** Rounds at kill points of this group, from its first to its last, so that each of its stages has one. */
async function violationsOf(group: Group, rounds: number): Promise<string[]> {
  const points = KILL_POINTS.filter((point) => point.group === group);
  const plans = Array.from({ length: rounds }, (_, index) => {
    const point = points[Math.floor((index * (points.length - 1)) / (rounds - 1))];
    if (!point) throw new Error(`no kill point of the group "${group}"`);
    return planRoundAt(point, SEED, KILL_POINTS.indexOf(point));
  });
  const results = await runRounds(plans, { atOnce: 2 });
  expect(results).toHaveLength(rounds);
  return results.filter(({ violations }) => violations.length > 0).map(reportOf);
}

describe('exec, killed with four calls awaiting approval and others running: 0 lost, 0 duplicated, 0 without grant', () => {
  test(
    'at a random moment: every call ends once, the same approvals wait, answers of two clients count once [J2, A5, A6, C1, C3]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('at a random moment', 2)).toEqual([]),
  );

  test(
    'during an append: what was told is written down, and what was not written down was not done [J1, J2]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('during an append', 3)).toEqual([]),
  );

  test(
    'between start and effect: the call says that it may have happened, and is not run again [J1, J2]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('between start and effect', 3)).toEqual([]),
  );

  test(
    'between effect and end: the call happened once, and is not run again [J2]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('between effect and end', 3)).toEqual([]),
  );

  test(
    'during an answer: it counts wholly or not at all, once, and an answer that was acknowledged stays [J2, A5, A6]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('during an answer', 5)).toEqual([]),
  );

  test(
    'while a dead owner is replaced: the next one after that finds everything as it was left [J2, A6]',
    { timeout: TIMEOUT_MS },
    async () => expect(await violationsOf('while a dead owner is replaced', 3)).toEqual([]),
  );
});
