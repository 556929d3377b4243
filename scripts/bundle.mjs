// Bundles the program into packages/cli/dist/countersign.cjs, makes a V8 code cache for it, and builds the library.
// CommonJS, because Node 20 can use a code cache only for scripts. Measured with zod, libsql, TOML and RE2 in
// it: 39 ms beyond Node's own start, 57 without the cache, 66 as an ES module (best of 25 each).
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from './bundle/library.mjs';
import { run } from './ready/run.mjs';
import { root } from './source/files.mjs';

const ENTRY = 'packages/cli/src/main.ts';
const DIST = join(root, 'packages/cli/dist');
const HEADER = '"use strict"; // build ';
const ID_PLACEHOLDER = '0'.repeat(64);

if (!existsSync(join(root, ENTRY))) {
  console.error(`${ENTRY} does not exist yet: nothing to bundle.`);
} else {
  const bundled = (await bundle()) && (await buildLibrary());
  process.exitCode = bundled ? await makeCodeCache() : 1;
}

async function bundle() {
  // Loaded only here: before there is a program to bundle, neither is needed.
  const { build } = await import('esbuild');
  const { importByHost } = await import('./bundle/host-import.mjs');
  const result = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outfile: join(DIST, 'countersign.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    conditions: ['countersign-source'],
    // It carries a native binary, which it looks for beside itself.
    external: ['libsql'],
    sourcemap: true,
    legalComments: 'eof',
    define: { 'import.meta.url': 'bundleUrl' },
    inject: [join(root, 'scripts/bundle/bundle-url.mjs')],
    banner: { js: `${HEADER}${ID_PLACEHOLDER}` },
    logLevel: 'warning',
    write: false,
  }).catch(() => null); // esbuild has said what is wrong
  if (result === null) return false;

  mkdirSync(DIST, { recursive: true });
  rmSync(join(DIST, 'countersign.cache'), { force: true });
  for (const file of result.outputFiles) {
    writeWhole(
      file.path,
      file.path.endsWith('.map') ? file.text : withBuildId(await importByHost(file.text)),
    );
  }
  return true;
}

function withBuildId(/** @type {string} */ text) {
  return text.replace(ID_PLACEHOLDER, createHash('sha256').update(text).digest('hex'));
}

/** A program that starts meanwhile finds the old bundle or the new one, never half of one. */
function writeWhole(/** @type {string} */ path, /** @type {string} */ text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

async function makeCodeCache() {
  const work = openSync(join(root, 'scripts/bundle/warm-up.json'), 'r');
  const code = await run(
    process.execPath,
    ['scripts/bundle/make-code-cache.mjs'],
    [work, 'ignore', 'ignore'],
  );
  closeSync(work);
  if (code !== 0) console.error('No code cache was made; the program works, and starts a little slower.');
  return 0;
}
