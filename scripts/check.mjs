// The quick round while working: types, lint, and the tests that take no time. `npm test` runs everything.
import { lint, runSteps, tests, types } from './steps.mjs';

process.exitCode = await runSteps([
  types,
  lint,
  tests('Fast tests', ['--project=!slow*', ...process.argv.slice(2)]),
]);
