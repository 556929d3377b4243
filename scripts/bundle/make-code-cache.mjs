// Runs the program once on real work, then keeps what V8 compiled meanwhile: functions that a start needs
// are then in the cache, not only the outermost ones. The work arrives on standard input (warm-up.json).
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProgram } from '../../packages/cli/bin/program.js';
import { root } from '../source/files.mjs';

const WARM_UP_MS_MAX = 20_000; // a warm-up that hangs must not hang the build

const workspace = mkdtempSync(join(tmpdir(), 'countersign-warm-up-'));
writeFileSync(join(workspace, 'a.txt'), 'one line\n');

const program = loadProgram();
if (!program) throw new Error('There is no bundle to make a cache for');

process.on('exit', () => {
  rmSync(workspace, { recursive: true, force: true });
  const cache = join(root, 'packages/cli/dist/countersign.cache');
  writeFileSync(`${cache}.new`, program.makeCache());
  renameSync(`${cache}.new`, cache);
  // Whatever the warm-up came to: compiled code is compiled code.
  process.exitCode = 0;
});
setTimeout(() => process.exit(), WARM_UP_MS_MAX).unref();

// A build leaves the store and the settings of whoever runs it alone.
process.env.HOME = workspace;
for (const name of Object.keys(process.env)) if (name.startsWith('XDG_')) delete process.env[name];

process.argv.splice(
  1,
  Infinity,
  'countersign',
  'exec',
  '--json',
  '--store',
  ':memory:',
  '--workspace',
  workspace,
);
program.run();
