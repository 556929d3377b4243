import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../ready/run.mjs';
import { describeSkips, unknownSkips } from './judge-skips.mjs';
import { REPORT_VARIABLE } from './report.mjs';

/** @import { Report } from './report.mjs' */

/**
 * Runs vitest and closes with one line of counts, after each skip with its reason. With CI=true a skip that is not on
 * the list fails the run: a machine that cannot run a test must not look as if it had. Tests that passed only when they
 * were run again are named; more than a few of them fail the run.
 * @param {readonly string[]} args for vitest
 * @returns {Promise<number>} an exit code
 */
export async function runTests(args) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-report-'));
  const file = join(directory, 'report.json');
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'report.mjs')}`];
  try {
    const argv = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args];
    const code = await run(process.execPath, argv, { env: { ...process.env, [REPORT_VARIABLE]: file } });
    return close(code, readReport(file), args.some(isTitleFilter));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const isTitleFilter = (/** @type {string} */ arg) => /^(-t|--testNamePattern)\b/.test(arg);

/**
 * @param {number} code vitest's
 * @param {Report | null} report
 * @param {boolean} isPart whether only some titles were wanted
 */
function close(code, report, isPart) {
  if (report === null) {
    console.log('0 passed, 1 failed, 0 skipped');
    return code || 1;
  }
  // A filter by title skips all other tests, without a reason.
  const skipped = isPart ? report.skipped.filter(({ reason }) => reason !== null) : report.skipped;
  for (const line of describeSkips(skipped)) console.log(line);
  const unknown = process.env['CI'] === 'true' ? unknownSkips(skipped) : [];
  if (unknown.length > 0) {
    console.log(
      'With CI=true nothing may be skipped but what scripts/testing/judge-skips.mjs lists. Not listed there:',
    );
    for (const line of describeSkips(unknown)) console.log(line);
  }
  const { unstable } = report;
  for (const test of unstable) console.log(`  Unstable: failed, then passed when run again: ${test}`);
  const tooUnstable = unstable.length > UNSTABLE_MAX ? unstable.length : 0;
  if (tooUnstable > 0) console.log(`At most ${UNSTABLE_MAX} tests of a run may be unstable.`);
  const failed = report.failed === 0 && code !== 0 ? 1 : report.failed;
  console.log(
    `${report.passed - tooUnstable} passed, ${failed + unknown.length + tooUnstable} failed, ${skipped.length} skipped`,
  );
  return code || (unknown.length + tooUnstable > 0 ? 1 : 0);
}

/** A busy machine can be unlucky with a browser or a clock now and then; a defect shows in more tests, or in every run. */
const UNSTABLE_MAX = 3;

/** @returns {Report | null} null if the runner did not get to its end */
function readReport(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
