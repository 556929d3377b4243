// Everything that must hold before a change is accepted. Extra arguments go to vitest: npm test -- -t 'name'
import { format, lint, prepared, runSteps, tests, types } from './steps.mjs';

process.exitCode = await runSteps([prepared, types, lint, format, tests('Tests', process.argv.slice(2))]);
