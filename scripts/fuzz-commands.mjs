// Compares what the command analysis foresees with what bash does, over many generated lines (see tests/commands/fuzz).
//   node scripts/fuzz-commands.mjs [--lines 20000] [--seed N]    the same numbers give the same lines
import { parseArgs } from 'node:util';
import { runNode } from './ready/run.mjs';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
  },
});
const lines = Number(values.lines);
const seed = Number(values.seed);
if (!Number.isSafeInteger(lines) || lines < 1 || !Number.isSafeInteger(seed)) {
  console.error('--lines and --seed take whole numbers.');
  process.exit(2);
}
process.env['FUZZ_LINES'] = String(lines);
process.env['FUZZ_SEED'] = String(seed);
process.exitCode = await runNode('node_modules/vitest/vitest.mjs', [
  'run',
  'tests/commands/fuzz/against-bash.slow.test.ts',
]);
