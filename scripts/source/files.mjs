import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const SKIPPED = new Set(['node_modules', 'dist']);

/**
 * All files below a directory as paths from the root, sorted, so that what is
 * made from them comes out the same everywhere.
 * @param {string} directory
 * @returns {string[]}
 */
export function filesUnder(directory) {
  let entries;
  try {
    entries = readdirSync(join(root, directory), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => !SKIPPED.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(path) : [path];
    });
}

/** Names of the folders in packages/, which are not always the names by which packages are imported. */
export function packageNames() {
  return readdirSync(join(root, 'packages'))
    .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
    .sort();
}

/** Packages that others import; the program itself is none of them. */
export function packagesWithIndex() {
  return packageNames().filter((name) => existsSync(join(root, 'packages', name, 'src/index.ts')));
}

/** Every test file of the repository. */
export function testFiles() {
  const packages = packageNames().flatMap((name) => filesUnder(`packages/${name}/src`));
  return [...packages, ...filesUnder('tests')].filter((path) => isTest(path) || isContract(path));
}

/** The sources of one package, tests omitted. */
export function sourceFiles(/** @type {string} */ packageName) {
  return filesUnder(`packages/${packageName}/src`).filter((path) => isTypeScript(path) && !isTest(path));
}

export const isTypeScript = (/** @type {string} */ path) => /\.tsx?$/.test(path);
/** A contract is a test file that others call: what it declares are tests, too. */
const isContract = (/** @type {string} */ path) => path.endsWith('-contract.ts');
const isTest = (/** @type {string} */ path) => /\.test\.tsx?$/.test(path);
