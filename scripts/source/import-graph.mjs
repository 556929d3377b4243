import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageNames, root } from './files.mjs';
import { importsIn, parseFile } from './syntax.mjs';

/**
 * One import of one file. `to` is the file meant, if it is one of ours.
 * @typedef {import('./syntax.mjs').Import & { from: string, to: string | null }} Edge
 */

/**
 * @param {readonly string[]} files
 * @returns {Edge[]}
 */
export function importEdges(files) {
  return files.flatMap((from) =>
    importsIn(parseFile(from)).map((found) => ({ ...found, from, to: targetOf(from, found.specifier) })),
  );
}

/** The package folder that a path lies in. */
export const folderOf = (/** @type {string} */ path) => path.split('/')[1] ?? '';

/** @returns {{ name: string, license?: string, type?: string, exports?: Record<string, { 'countersign-source'?: string }>, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} */
export const manifestOf = (/** @type {string} */ folder) =>
  JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));

/** The source files by which packages are imported, by what is written to import them: `@countersign/server/client`. */
const entries = new Map(
  packageNames().flatMap((folder) => {
    const { name, exports = {} } = manifestOf(folder);
    return Object.entries(exports).flatMap(([path, { 'countersign-source': source }]) =>
      source ? [[name + path.slice(1), posix.join('packages', folder, source)]] : [],
    );
  }),
);

function targetOf(/** @type {string} */ from, /** @type {string} */ specifier) {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
    return existsSync(join(root, `${path}x`)) ? `${path}x` : path;
  }
  return entries.get(specifier) ?? null;
}

/**
 * A way from a file back to itself, if there is one.
 * @param {readonly { from: string, to: string | null }[]} edges
 * @returns {string[] | null}
 */
export function findCycle(edges) {
  /** @type {Map<string, string[]>} */
  const targets = new Map();
  for (const { from, to } of edges) {
    if (to !== null) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const cleared = new Set();
  /** @type {string[]} */
  const path = [];

  /** @returns {string[] | null} */
  const walk = (/** @type {string} */ file) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (cleared.has(file)) return null;
    path.push(file);
    for (const target of targets.get(file) ?? []) {
      const cycle = walk(target);
      if (cycle) return cycle;
    }
    path.pop();
    cleared.add(file);
    return null;
  };

  for (const file of targets.keys()) {
    const cycle = walk(file);
    if (cycle) return cycle;
  }
  return null;
}
