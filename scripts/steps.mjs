import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './ready/run.mjs';
import { READY_DIR } from './ready/stamp.mjs';

/** @typedef {{ title: string, run: () => Promise<number>, mend?: string }} Step */

/** @type {Step} */
export const types = {
  title: 'Types',
  run: () => runNode('node_modules/typescript/bin/tsc', ['-b']),
};

/** @type {Step} */
export const lint = {
  title: 'Lint',
  run: () => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--quiet']),
};

/** @type {Step} */
export const format = {
  title: 'Format',
  mend: 'npm run format',
  // Left to itself, it colours every letter of a diff even in a log.
  run: () =>
    runNode('node_modules/@biomejs/biome/bin/biome', [
      'ci',
      '--linter-enabled=false',
      process.stdout.isTTY ? '--colors=force' : '--colors=off',
      '.',
    ]),
};

/**
 * @param {string} title
 * @param {readonly string[]} args for vitest
 * @returns {Step}
 */
export const tests = (title, args) => ({ title, run: () => runTests(args) });

/**
 * Runs steps in order up to the first that fails.
 * @param {readonly Step[]} steps
 * @returns {Promise<number>} an exit code
 */
export async function runSteps(steps) {
  for (const [index, step] of steps.entries()) {
    console.log(`== ${step.title}`);
    const code = await step.run();
    if (code === 0) continue;
    const left = steps.slice(index + 1).map(({ title }) => title);
    if (step.mend) console.log(`To mend it, run: ${step.mend}`);
    if (left.length > 0) console.log(`Stopped here (exit code ${code}). Not run: ${left.join(', ')}.`);
    return code;
  }
  return 0;
}

const REPORT = join(READY_DIR, 'vitest.json');

async function runTests(/** @type {readonly string[]} */ args) {
  mkdirSync(READY_DIR, { recursive: true });
  rmSync(REPORT, { force: true });
  const code = await runNode('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...args,
  ]);
  const counts = readCounts(code);
  if (counts) console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return code;
}

/**
 * A file that could not be loaded has no tests to count and counts as one
 * failure, and so does an error outside of any test: a red run never says
 * "0 failed".
 */
function readCounts(/** @type {number} */ code) {
  let report;
  try {
    report = JSON.parse(readFileSync(REPORT, 'utf8'));
  } catch {
    return null;
  }
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = report.testResults;
  const isFailed = (/** @type {{ status: string }} */ result) => result.status === 'failed';
  const brokenFiles = files.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length;
  const failed = report.numFailedTests + brokenFiles;
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}
