import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../source/files.mjs';

/**
 * @import { Reporter, TestModule } from 'vitest/node'
 *
 * @typedef {object} Skip
 * @property {string} test the file and the title
 * @property {string | null} reason
 *
 * @typedef {object} Report
 * @property {number} passed
 * @property {number} failed
 * @property {readonly Skip[]} skipped
 * @property {readonly string[]} unstable tests that failed, and passed when they were run again
 */

/** Where the report is left, for the process that started the runner. */
export const REPORT_VARIABLE = 'COUNTERSIGN_TEST_REPORT';

/**
 * Writes down how many tests passed and failed, and each that was skipped with the reason it gave: vitest's own reports
 * do not name reasons.
 * @implements {Reporter}
 */
export default class CountingReporter {
  #path = process.env[REPORT_VARIABLE];

  constructor() {
    // A test may run vitest, too: its report is not this one.
    delete process.env[REPORT_VARIABLE];
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    if (this.#path) writeFileSync(this.#path, JSON.stringify(reportOf(modules, unhandledErrors.length)));
  }
}

/**
 * A file that could not be loaded has no tests to count and counts as one failure, and so does an error outside of any
 * test: a red run never says "0 failed".
 * @param {readonly TestModule[]} modules
 * @param {number} errorsOutside
 * @returns {Report}
 */
function reportOf(modules, errorsOutside) {
  let passed = 0;
  let failed = errorsOutside;
  /** @type {Skip[]} */
  const skipped = [];
  /** @type {string[]} */
  const unstable = [];
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const result = test.result();
      const name = `${relative(root, module.moduleId)}: ${test.fullName}`;
      if (test.diagnostic()?.flaky) unstable.push(name);
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'skipped') skipped.push({ test: name, reason: result.note ?? null });
      else failedHere += 1;
    }
    if (failedHere === 0 && module.state() === 'failed') failedHere = 1;
    failed += failedHere;
  }
  return { passed, failed, skipped, unstable };
}
