const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

/** What is needed to say who we are; all else is loaded by the part that needs it. */
const MAIN = path.join(__dirname, '../dist/countersign.cjs');
const PARTS = path.join(__dirname, '../dist/parts');

/** What the bundle calls instead of `import()`: code that comes from a code cache cannot import by itself. */
const IMPORT_NAME = 'hostIm';
/** What stands for `import.meta.url`, which scripts do not have. */
const URL_NAME = 'programUrl';
/** What each part is given, by name. */
const GIVEN = ['exports', 'require', 'module', IMPORT_NAME, URL_NAME];

/**
 * @typedef {(...given: unknown[]) => void} Part
 * @typedef {{ readonly index: Record<string, string>, readonly parts: Record<string, Part> }} Held what a file evaluates to
 * @typedef {{ readonly script: Script, readonly source: string }} Compiled
 */

/**
 * The bundled program, compiled file by file with the help of the code caches
 * that were made for it. A cache that is missing, or made by another Node,
 * only costs time.
 * @returns {{ run(): void, makeCaches(): { file: string, cache: Buffer }[] } | null} null when nothing has been built
 */
function loadProgram() {
  /** @type {Map<string, Compiled>} by file */
  const compiled = new Map();
  /** @type {Record<string, Part>} */
  const parts = {};
  /** @type {Map<string, { exports: unknown }>} by the name of the part */
  const modules = new Map();
  const requireFromOutside = createRequire(MAIN);
  const url = pathToFileURL(MAIN).href;

  const open = (/** @type {string} */ file) => {
    const found = compile(file);
    if (found === null) return null;
    compiled.set(file, found);
    const held = /** @type {Held} */ (/** @type {unknown} */ (found.script.runInThisContext()));
    Object.assign(parts, held.parts);
    return held.index;
  };
  const index = open(MAIN);
  if (index === null) return null;

  const load = (/** @type {string} */ name) => {
    const known = modules.get(name);
    if (known) return known.exports;
    if (!(name in parts)) open(path.join(PARTS, index[name] ?? name));
    const part = parts[name];
    if (!part) throw new Error(`${name} is missing in ${PARTS}: was another version installed meanwhile?`);
    const module = { exports: {} };
    modules.set(name, module);
    part(module.exports, requirePart, module, importPart, url);
    return module.exports;
  };
  /** @type {(specifier: string) => unknown} */
  const requirePart = (specifier) => {
    if (isPart(specifier)) return load(path.basename(specifier));
    try {
      return requireFromOutside(specifier);
    } catch (error) {
      const owner = ownerOf(specifier);
      if (owner === null) throw error;
      return createRequire(requireFromOutside.resolve(owner))(specifier);
    }
  };
  // Without Node's own loader where it can be avoided: that one takes longer to get going than most of our parts.
  /** @type {(specifier: string) => Promise<unknown>} */
  const importPart = async (specifier) => {
    if (specifier.startsWith('file:')) return import(specifier);
    const found = requirePart(specifier);
    return isPart(specifier) ? found : asNamespace(found);
  };
  return {
    run: () => void load(path.basename(MAIN)),
    makeCaches: () =>
      Array.from(compiled, ([file, { script, source }]) => ({
        file: cacheOf(file),
        cache: Buffer.concat([Buffer.from(buildIdOf(source)), script.createCachedData()]),
      })),
  };
}

/** Of a package that is in the bundle, the binaries are outside; a strict installer lets only that package see them. */
const ownerOf = (/** @type {string} */ specifier) => (specifier.startsWith('@libsql/') ? 'libsql' : null);
/** What a CommonJS module exports, as `import()` would give it. */
const asNamespace = (/** @type {unknown} */ exported) => {
  const members = typeof exported === 'function' || typeof exported === 'object' ? exported : null;
  /** @type {unknown} */
  const namespace = Object.create(members, { default: { value: exported } });
  return namespace;
};
const isPart = (/** @type {string} */ specifier) => specifier.startsWith('.');
const cacheOf = (/** @type {string} */ file) => file.replace(/\.cjs$/, '.cache');

/** @param {string} file @returns {Compiled | null} */
function compile(file) {
  const source = readText(file);
  if (source === null) return null;
  return { script: new Script(source, { filename: file, ...cachedDataFor(file, source) }), source };
}

const BUILD_ID_LENGTH = 64;

/** V8 recognises a stale cache only by the length of the source; the id in the first line tells for certain. */
function buildIdOf(/** @type {string} */ source) {
  const end = source.indexOf('\n');
  return source.slice(end - BUILD_ID_LENGTH, end);
}

function cachedDataFor(/** @type {string} */ file, /** @type {string} */ source) {
  let cache;
  try {
    cache = readFileSync(cacheOf(file));
  } catch {
    return {};
  }
  const madeFor = cache.toString('latin1', 0, BUILD_ID_LENGTH);
  return madeFor === buildIdOf(source) ? { cachedData: cache.subarray(BUILD_ID_LENGTH) } : {};
}

function readText(/** @type {string} */ file) {
  try {
    // The bundler leaves nothing but ASCII, which is read faster than what might hold more.
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}

module.exports = { GIVEN, IMPORT_NAME, URL_NAME, loadProgram };
