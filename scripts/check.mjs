// The quick round while working: types, lint, and the tests that take no time. `npm test` runs everything.
import { lint, runSteps, tests, types } from './steps.mjs';

const SLOW = ['**/*.slow.test.ts', 'tests/crash/**', 'tests/simulation/**'];

process.exitCode = await runSteps([
  types,
  lint,
  tests('Fast tests', [...SLOW.map((glob) => `--exclude=${glob}`), ...process.argv.slice(2)]),
]);
