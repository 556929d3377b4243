import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const BUNDLE = fileURLToPath(new URL('../dist/countersign.cjs', import.meta.url));
const CACHE = fileURLToPath(new URL('../dist/countersign.cache', import.meta.url));

/** What the bundle calls instead of `import()`: code that comes from a code cache cannot import by itself. */
export const IMPORT_NAME = 'hostIm';

/** @typedef {(...given: unknown[]) => void} Wrapped the bundle as a function of what a CommonJS module is given */

/**
 * Compiles the bundled program with the help of the code cache that was made
 * for it. A cache that is missing, or made by another Node, only costs time.
 * @returns {{ run(): void, makeCache(): Buffer } | null} null when nothing has been built
 */
export function loadProgram() {
  const source = readText(BUNDLE);
  if (source === null) return null;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, ${IMPORT_NAME}) {${source}\n})`,
    { filename: BUNDLE, ...cachedDataFor(source) },
  );
  return {
    run() {
      const module = { exports: {} };
      const importFrom = (/** @type {string} */ specifier) => import(specifier);
      const start = /** @type {Wrapped} */ (/** @type {unknown} */ (script.runInThisContext()));
      start(module.exports, createRequire(BUNDLE), module, BUNDLE, dirname(BUNDLE), importFrom);
    },
    makeCache: () => Buffer.concat([Buffer.from(buildIdOf(source)), script.createCachedData()]),
  };
}

const BUILD_ID_LENGTH = 64;

/** V8 recognises a stale cache only by the length of the source; the id in the bundle's first line tells for certain. */
function buildIdOf(/** @type {string} */ source) {
  const end = source.indexOf('\n');
  return source.slice(end - BUILD_ID_LENGTH, end);
}

function cachedDataFor(/** @type {string} */ source) {
  let cache;
  try {
    cache = readFileSync(CACHE);
  } catch {
    return {};
  }
  const madeFor = cache.toString('latin1', 0, BUILD_ID_LENGTH);
  return madeFor === buildIdOf(source) ? { cachedData: cache.subarray(BUILD_ID_LENGTH) } : {};
}

function readText(/** @type {string} */ path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
