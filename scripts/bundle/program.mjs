// Bundles the program: packages/cli/dist/countersign.cjs and, in packages/cli/dist/parts, what it loads on demand.
// The loader in packages/cli/bin/program.js knows the form of these files.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GIVEN, URL_NAME } from '../../packages/cli/bin/program.js';
import { root } from '../source/files.mjs';
import { filesOf } from './group-parts.mjs';
import { inkAtOnce } from './ink-at-once.mjs';
import { onlyEnglish, quickTarget } from './leaner-packages.mjs';

/** @typedef {{ readonly name: string, readonly code: string, readonly map: string }} Part */

const DIST = join(root, 'packages/cli/dist');
const PARTS = join(DIST, 'parts');
const MAIN = 'countersign.cjs';
const TARGET = 'node20';

/** @param {string} entry @returns {Promise<boolean>} whether it was built */
export async function buildProgram(entry) {
  // Loaded only here: before there is a program to bundle, it is not needed.
  const { build } = await import('esbuild');
  const built = await build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: basename(MAIN, '.cjs') }],
    outdir: DIST,
    chunkNames: 'parts/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    // Only ES modules can be split; each part is made CommonJS afterwards.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    conditions: ['countersign-source'],
    // What its manifest names as main loads its parts in a way that cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [onlyEnglish, quickTarget, inkAtOnce],
    sourcemap: 'inline',
    legalComments: 'eof',
    define: { 'import.meta.url': URL_NAME, 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    metafile: true,
    write: false,
  }).catch(() => null); // esbuild has said what is wrong
  if (built === null) return false;

  /** @type {Map<string, Part>} by name */
  const parts = new Map();
  for (const output of built.outputFiles) {
    const part = await asCommonJs(output);
    parts.set(part.name, part);
  }
  const files = filesOf(built.metafile.outputs, MAIN);
  mkdirSync(PARTS, { recursive: true });
  rmSync(join(DIST, MAIN.replace('.cjs', '.cache')), { force: true });
  // The main file last: a program that starts meanwhile finds everything it loads.
  for (const { file, names } of files.toReversed()) {
    const held = names.flatMap((name) => parts.get(name) ?? []);
    const index = file === MAIN ? indexOf(files.filter((other) => other.file !== MAIN)) : {};
    const path = join(file === MAIN ? DIST : PARTS, file);
    const { code, map } = inOneFile(file, index, held);
    writeWhole(`${path}.map`, map);
    writeWhole(path, code);
  }
  removeOldParts(new Set(files.map(({ file }) => stem(file))));
  return true;
}

async function asCommonJs(/** @type {import('esbuild').OutputFile} */ { path, text }) {
  const { transform } = await import('esbuild');
  const { importByHost } = await import('./host-import.mjs');
  const { inAscii } = await import('./ascii.mjs');
  const name = basename(path);
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    sourcemap: 'external',
    sourcefile: name,
  });
  return { name, code: await inAscii(await importByHost(code)), map };
}

/** In which file to look for a part that has none of its own. */
function indexOf(/** @type {readonly { file: string, names: readonly string[] }[]} */ files) {
  const entries = files.flatMap(({ file, names }) => names.map((name) => [name, file]));
  return Object.fromEntries(entries.filter(([name, file]) => name !== file));
}

/**
 * Parts as functions of what a CommonJS module is given.
 * @param {string} file
 * @param {{ readonly [name: string]: string }} index
 * @param {readonly Part[]} parts
 */
function inOneFile(file, index, parts) {
  let text = `"use strict"; // build ${ID_PLACEHOLDER}\n({ index: ${JSON.stringify(index)}, parts: {\n`;
  const sections = [];
  for (const { name, code, map } of parts) {
    text += `${JSON.stringify(name)}: function (${GIVEN.join(', ')}) {\n`;
    sections.push({ offset: { line: text.split('\n').length - 1, column: 0 }, map: JSON.parse(map) });
    text += `${code}},\n`;
  }
  text += `} })\n//# sourceMappingURL=${file}.map\n`;
  return { code: withBuildId(text), map: JSON.stringify({ version: 3, file, sections }) };
}

const ID_PLACEHOLDER = '0'.repeat(64);

function withBuildId(/** @type {string} */ text) {
  return text.replace(ID_PLACEHOLDER, createHash('sha256').update(text).digest('hex'));
}

/** A program that starts meanwhile finds the old file or the new one, never half of one. */
function writeWhole(/** @type {string} */ path, /** @type {string} */ text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** A program of an earlier build may still run, and load more of its parts: a test mostly, which takes minutes. */
const OLD_PARTS_KEPT_MS = 15 * 60_000;

function removeOldParts(/** @type {ReadonlySet<string>} */ wanted) {
  for (const name of readdirSync(PARTS)) {
    const path = join(PARTS, name);
    const isOld = Date.now() - statSync(path).mtimeMs > OLD_PARTS_KEPT_MS;
    if (isOld && !wanted.has(stem(name))) rmSync(path, { force: true });
  }
}

/** A file, its map and its cache have one name. */
const stem = (/** @type {string} */ name) => name.replace(/\.(cjs|cjs\.map|cache)(\.new)?$/, '');
