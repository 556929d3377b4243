import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageNames, root } from '../source/files.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { runNode } from './run.mjs';
import { buildHash, hasOutputs, readStamp, writeStamp } from './stamp.mjs';

/**
 * Installs and builds what is missing or out of date.
 * @param {{ rebuild: boolean }} options
 * @returns {Promise<number>} an exit code
 */
export async function makeReady({ rebuild }) {
  if (!rebuild && isInstalled() && isBuilt()) return 0;
  const beganAt = Date.now();
  const code = await withLock(() => installAndBuild(rebuild));
  if (code === 0) console.error(`Ready after ${((Date.now() - beganAt) / 1000).toFixed(1)} s.`);
  return code;
}

// Whoever waited for the lock looks again: the one before has probably done the work.
async function installAndBuild(/** @type {boolean} */ rebuild) {
  if (!isInstalled()) {
    const code = await install();
    if (code !== 0) return code;
  }
  return rebuild || !isBuilt() ? build(rebuild) : 0;
}

const isBuilt = () => hasOutputs() && readStamp('built') === buildHash();

async function build(/** @type {boolean} */ fromScratch) {
  console.error('Building…');
  // Taken before the compiler reads the sources: an edit meanwhile then means building once more, not never.
  const hash = buildHash();
  if (fromScratch) removeOutputs();
  // The compiler trusts its own records and does not notice that its output was deleted.
  const force = hasOutputs() ? [] : ['--force'];
  // The packages only: `npm start` does not wait for the types of tests.
  const packages = packageNames().map((name) => `packages/${name}`);
  const code =
    (await runNode('node_modules/typescript/bin/tsc', ['-b', ...force, ...packages])) ||
    (await runNode('scripts/bundle.mjs', [])) ||
    (await buildPage());
  if (code !== 0) {
    console.error('The build failed. Correct what is named above, then run the command again.');
    return code;
  }
  writeStamp('built', hash);
  return 0;
}

const buildPage = async () =>
  existsSync(join(root, 'packages/web/index.html')) ? runNode('scripts/web-build/build-page.mjs', []) : 0;

function removeOutputs() {
  for (const name of packageNames()) {
    for (const output of ['dist', 'tsconfig.tsbuildinfo']) {
      rmSync(join(root, 'packages', name, output), { recursive: true, force: true });
    }
  }
}
