import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../compare.mjs';
import { ModelServer } from './model-server.mjs';
import { elapsedMs, oneRun } from './one-run.mjs';
import { checkWork, makeFiles, SCENARIOS } from './scenarios.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { HowToStart, Measured } from './one-run.mjs'
 * @import { Scenario } from './scenarios.mjs'
 */

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/countersign.js', import.meta.url));
const FLOOR = fileURLToPath(new URL('floor.mjs', import.meta.url));

const VERSION_TIMES_MAX = 1.5;
const FIRST_REQUEST_TIMES_MAX = 3;
/** Either will do: a call that takes the floor a tenth of a millisecond may take us a few. */
const TURNAROUND_TIMES_MAX = 2.5;
const TURNAROUND_MS_MORE_MAX = 3;
const RESIDENT_MB_MAX = 100;
const FIRST_REQUEST_BYTES_MAX = 25_000;

/** @type {HowToStart} */
const floor = (url, workspace) => ({ args: [FLOOR, url, workspace], env: {} });
/** @type {HowToStart} */
const ours = (url) => ({
  args: [PROGRAM, '-p', 'Do it.', '--yolo', '-m', 'gemini-bench'],
  env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url },
});

export const name = 'voice';
export const title = 'The whole program as it is started, beside a bare agent loop';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run({ rounds }) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-voice-')));
  // Neither settings nor past sessions of the person who runs this; and kept from round to round, as a person's home is.
  const home = mkdtempSync(join(tmpdir(), 'countersign-bench-home-'));
  const model = await ModelServer.start();
  try {
    const runs = new Map(SCENARIOS.map((scenario) => [scenario, noRuns()]));
    // The first round only fills the caches of the system; a quick run has no other.
    for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
      for (const [scenario, { bare, mine }] of runs) {
        for (const [start, kept] of /** @type {const} */ ([
          [floor, bare],
          [ours, mine],
        ])) {
          makeFiles(workspace);
          const measured = await oneRun(start, model, { workspace, home }, scenario.script);
          checkWork(scenario, model, workspace);
          if (round >= 0) kept.push(measured);
        }
      }
    }
    return [
      ...(await versionRows(rounds)),
      ...startRows([...runs.values()]),
      ...[...runs].flatMap(turnaroundRows),
    ];
  } finally {
    await model.stop();
    for (const directory of [workspace, home]) rmSync(directory, { recursive: true, force: true });
  }
}

/** @typedef {{ bare: Measured[], mine: Measured[] }} Runs by round */
/** @returns {Runs} */
const noRuns = () => ({ bare: [], mine: [] });

/** @param {number} rounds @returns {Promise<Row[]>} */
async function versionRows(rounds) {
  /** @type {number[]} */
  const bare = [];
  /** @type {number[]} */
  const mine = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await elapsedMs(['-e', '0']));
    mine.push(await elapsedMs([PROGRAM, '--version']));
  }
  return beside({ what: '--version', bare: 'node -e 0' }, bare, mine, () => VERSION_TIMES_MAX);
}

/** @param {readonly Runs[]} runs @returns {Row[]} */
function startRows(runs) {
  const bare = runs.flatMap((run) => run.bare);
  const mine = runs.flatMap((run) => run.mine);
  const [first] = mine.map((run) => run.first);
  const { bytes = Number.NaN, systemBytes = Number.NaN, declarationBytes = Number.NaN } = first ?? {};
  const resident = mine.map((run) => run.residentMegabytes);
  return [
    ...beside(
      { what: 'from the start to the first request', bare: 'the same' },
      bare.map((run) => run.firstRequestMs),
      mine.map((run) => run.firstRequestMs),
      () => FIRST_REQUEST_TIMES_MAX,
    ),
    { what: 'the first request', measured: bytes, unit: 'B', target: { atMost: FIRST_REQUEST_BYTES_MAX } },
    { what: '  of it the system prompt', measured: systemBytes, unit: 'B' },
    { what: '  of it the declarations of tools', measured: declarationBytes, unit: 'B' },
    Number.isNaN(median(resident))
      ? { what: 'memory resident, at most', measured: 'not told by this system' }
      : {
          what: 'memory resident, at most',
          measured: Math.max(...resident),
          unit: 'MB',
          target: { atMost: RESIDENT_MB_MAX },
        },
  ];
}

/** @param {[Scenario, Runs]} measured @returns {Row[]} */
function turnaroundRows([scenario, { bare, mine }]) {
  const typical = (/** @type {Measured} */ { turnaroundMs }) => median(turnaroundMs);
  return beside(scenario, bare.map(typical), mine.map(typical), (bareMs) =>
    Math.max(TURNAROUND_TIMES_MAX, (bareMs + TURNAROUND_MS_MORE_MAX) / bareMs),
  );
}

/**
 * @param {{ what: string, bare: string }} titles
 * @param {readonly number[]} bareMs by round
 * @param {readonly number[]} mineMs by round
 * @param {(bareMs: number) => number} timesMax
 * @returns {Row[]}
 */
function beside({ what, bare }, bareMs, mineMs, timesMax) {
  const row = (/** @type {string} */ what, /** @type {readonly number[]} */ ms) => ({
    what,
    measured: median(ms),
    best: Math.min(...ms),
    unit: /** @type {const} */ ('ms'),
  });
  return [
    row(what, mineMs),
    row(`  bare: ${bare}`, bareMs),
    {
      what: '    countersign beside it',
      measured: median(mineMs.map((mine, round) => mine / (bareMs[round] ?? Number.NaN))),
      best: Math.min(...mineMs) / Math.min(...bareMs),
      unit: '×',
      target: { atMost: timesMax(median(bareMs)) },
    },
  ];
}
