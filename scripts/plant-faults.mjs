// Plants mistakes in copies of the kernel and sees whether the explorer notices: a checker that finds nothing
// is worth as much as what it would find. Names of faults can be given to plant only those.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { FAULTS } from './faults/faults.mjs';
import { root } from './source/files.mjs';

/**
 * @typedef {import('./faults/faults.mjs').Fault} Fault
 * @typedef {import('./faults/explore-worker.mjs').Outcome} Outcome
 * @typedef {Outcome & { fault: Fault, ms: number }} Row
 */

/** All worlds take ten seconds of an idle core, a minute of a crowded one; beyond this a kernel goes in circles. */
const HANGS_AFTER_MS = 300_000;

const KERNEL = join(root, 'packages/kernel/src');
const EXPLORER = join(root, 'packages/testkit/src/explore/index.ts');
const PROTOCOL = join(root, 'packages/protocol/src/index.ts');

/** The kernel as it is: what is found in it is either a fault of ours or a false alarm. @type {Fault} */
const NONE = {
  name: '(none)',
  file: 'index.ts',
  find: '',
  replace: '',
  why: 'nothing was planted',
  expected: 'not found',
};

/**
 * @param {{ only?: readonly string[], heard?: (row: Row) => void }} [options]
 * @returns {Promise<readonly Row[]>} in the order of the list
 */
export async function plantFaults({ only = [], heard } = {}) {
  const chosen = [NONE, ...FAULTS].filter(
    ({ name }) => only.length === 0 || only.some((text) => name.includes(text)),
  );
  insistThatAllFit(FAULTS);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-faults-'));
  try {
    const explorer = await bundle(EXPLORER, join(folder, 'explorer.mjs'));
    /** @type {Row[]} */
    const rows = [];
    const waiting = chosen.entries();
    const plantMore = async () => {
      for (const [index, fault] of waiting) {
        const kernel = await bundle(plant(fault, join(folder, String(index))), join(folder, `${index}.mjs`));
        const startedAt = performance.now();
        const outcome = await exploreApart(explorer, kernel, fault.world ?? null);
        rows[index] = { ...outcome, fault, ms: Math.round(performance.now() - startedAt) };
        heard?.(rows[index]);
      }
    };
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, plantMore));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it came out as the list says. @returns {boolean} */
export const isAsExpected = (/** @type {Row} */ { fault, found }) =>
  (fault.expected === 'not found') === (found === null);

/** Copies the kernel with the fault in it. @returns {string} where it begins */
function plant(/** @type {Fault} */ fault, /** @type {string} */ folder) {
  cpSync(KERNEL, folder, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  if (fault.find !== '') {
    const path = join(folder, fault.file);
    writeFileSync(path, partsAround(fault).join(fault.replace));
  }
  return join(folder, 'index.ts');
}

/** The source before and after the place of a fault: two parts, if it fits. @returns {string[]} */
function partsAround(/** @type {Fault} */ { file, find }) {
  const words = find.split(/\s+/).map((word) => word.replace(/[^\w\s]/g, '\\$&'));
  return readFileSync(join(KERNEL, file), 'utf8').split(new RegExp(words.join('\\s+')));
}

/** Faults rot when the source around them changes. All that do not fit are named at once. */
function insistThatAllFit(/** @type {readonly Fault[]} */ faults) {
  const misfits = faults.flatMap((fault) => {
    const times = partsAround(fault).length - 1;
    return times === 1 ? [] : [`"${fault.name}": its text occurs ${times} times in ${fault.file}`];
  });
  if (misfits.length === 0) return;
  throw new Error(`Adapt these faults to the kernel as it is, or remove them:\n${misfits.join('\n')}`);
}

/** @returns {Promise<string>} what to import */
async function bundle(/** @type {string} */ entry, /** @type {string} */ outfile) {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    conditions: ['countersign-source'],
    alias: { '@countersign/protocol': PROTOCOL },
    logLevel: 'warning',
  });
  return pathToFileURL(outfile).href;
}

/** In a thread of its own, since a faulty kernel may never come back. @returns {Promise<Outcome>} */
function exploreApart(
  /** @type {string} */ explorer,
  /** @type {string} */ kernel,
  /** @type {string | null} */ first,
) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./faults/explore-worker.mjs', import.meta.url), {
      workerData: { explorer, kernel, first },
    });
    const timer = setTimeout(() => {
      const detail = `it did not finish within ${HANGS_AFTER_MS} ms`;
      resolve({ found: { world: '', property: 'hangs', detail, path: [] }, states: 0 });
      void worker.terminate();
    }, HANGS_AFTER_MS);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => clearTimeout(timer));
  });
}

const describe = (/** @type {Row} */ { fault, found, states, ms }) =>
  `${fault.name.padEnd(76)} ${(found ? found.property : 'not found').padEnd(10)} ${String(states).padStart(6)} ${String(ms).padStart(6)}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`${'fault'.padEnd(76)} ${'found by'.padEnd(10)} ${'states'.padStart(6)} ${'ms'.padStart(6)}`);
  const rows = await plantFaults({ only: process.argv.slice(2), heard: (row) => console.log(describe(row)) });
  for (const { fault, found } of rows.filter((row) => !isAsExpected(row))) {
    console.error(`\nNot as expected: ${fault.name} (${fault.file}): ${fault.why}`);
    for (const line of found
      ? [`${found.property}: ${found.detail}`, ...found.path]
      : ['It was not found.']) {
      console.error(`  ${line}`);
    }
    process.exitCode = 1;
  }
  const planted = rows.filter(({ fault }) => fault !== NONE);
  console.log(
    `${planted.filter(({ found }) => found).length} of ${planted.length} planted faults were found.`,
  );
}
