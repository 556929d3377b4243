import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageNames, root } from '../source/files.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { runNode } from './run.mjs';
import { buildHash, hasOutputs, isStamped, writeStamp } from './stamp.mjs';

/**
 * How much is made ready: the program and its page alone, which is all that `npm start` waits for, or everything, with
 * the library, the compiled packages and the tools of the tests.
 * @typedef {'program' | 'everything'} Scope
 */

/**
 * Installs and builds what is missing or out of date.
 * @param {{ rebuild: boolean, scope: Scope }} options
 * @returns {Promise<number>} an exit code
 */
export async function makeReady({ rebuild, scope }) {
  if (!rebuild && isInstalled(scope) && isBuilt(scope)) return 0;
  const beganAt = Date.now();
  const code = await withLock(() => installAndBuild(scope, rebuild));
  if (code === 0) console.error(`Ready after ${((Date.now() - beganAt) / 1000).toFixed(1)} s.`);
  return code;
}

// Checked again under the lock: the process that held it has probably done the work.
async function installAndBuild(/** @type {Scope} */ scope, /** @type {boolean} */ rebuild) {
  if (!isInstalled(scope)) {
    const code = await install(scope);
    if (code !== 0) return code;
  }
  return rebuild || !isBuilt(scope) ? build(scope, rebuild) : 0;
}

const isBuilt = (/** @type {Scope} */ scope) => hasOutputs(scope) && isStamped('built', buildHash(), scope);

async function build(/** @type {Scope} */ scope, /** @type {boolean} */ fromScratch) {
  console.error('Building…');
  // Taken before the compiler reads the sources: an edit meanwhile then means building once more, not never.
  const hash = buildHash();
  if (fromScratch) removeOutputs();
  const codes = await Promise.all([
    isBuilt('program') && !fromScratch ? 0 : buildProgramAndPage(),
    scope === 'everything' ? compileAndBuildLibrary() : 0,
  ]);
  const code = codes.find((each) => each !== 0) ?? 0;
  if (code !== 0) {
    console.error('The build failed. Correct what is named above, then run the command again.');
    return code;
  }
  writeStamp('built', hash, scope);
  return 0;
}

/** Both are bundled from the sources, so neither waits for the compiler. */
async function buildProgramAndPage() {
  const codes = await Promise.all([runNode('scripts/bundle.mjs', ['program']), buildPage()]);
  return codes.find((code) => code !== 0) ?? 0;
}

const buildPage = async () =>
  existsSync(join(root, 'packages/web/index.html')) ? runNode('scripts/web-build/build-page.mjs', []) : 0;

/** The types that the library exports are the compiler's. */
async function compileAndBuildLibrary() {
  // The compiler trusts its own records and does not notice that its output was deleted.
  const force = hasOutputs('everything') ? [] : ['--force'];
  // The packages only: the types of tests are checked by `npm test`.
  const packages = packageNames().map((name) => `packages/${name}`);
  return (
    (await runNode('node_modules/typescript/bin/tsc', ['-b', ...force, ...packages])) ||
    (await runNode('scripts/bundle.mjs', ['library']))
  );
}

function removeOutputs() {
  for (const name of packageNames()) {
    for (const output of ['dist', 'tsconfig.tsbuildinfo']) {
      rmSync(join(root, 'packages', name, output), { recursive: true, force: true });
    }
  }
}
