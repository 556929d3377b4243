// Everything that must hold before a change is accepted. Extra arguments go to vitest: npm test -- -t 'name'
import { format, lint, runSteps, tests, types } from './steps.mjs';

process.exitCode = await runSteps([types, lint, format, tests('Tests', process.argv.slice(2))]);
