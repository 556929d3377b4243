import { runNode } from './ready/run.mjs';
import { prepareTests } from './testing/prepare.mjs';
import { runTests } from './testing/run-tests.mjs';

/** @typedef {{ title: string, run: () => Promise<number>, fix?: string }} Step */

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
  fix: 'npm run format',
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
    if (step.fix) console.log(`To fix it, run: ${step.fix}`);
    if (left.length > 0) console.log(`Stopped here (exit code ${code}). Not run: ${left.join(', ')}.`);
    return code;
  }
  return 0;
}

/** @type {Step} */
export const prepared = { title: 'Tools of the tests', run: prepareTests };
