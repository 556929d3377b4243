// Runs programs of examples/ and prints what they found out: node scripts/example.mjs batch
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { READY_DIR } from './ready/stamp.mjs';
import { root } from './source/files.mjs';

const NAMES = readdirSync(join(root, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const wanted = process.argv.slice(2);
if (wanted.length > 0 && wanted.every((name) => NAMES.includes(name))) {
  for (const main of await load(wanted)) console.log(JSON.stringify(await main(), null, 2));
} else {
  console.error(`Say which examples: ${NAMES.join(', ')}.`);
  process.exitCode = 2;
}

/**
 * Node 20 does not read TypeScript, so they are translated first, inside the checkout, where their packages are found.
 * @param {readonly string[]} examples
 * @returns {Promise<(() => Promise<unknown>)[]>}
 */
async function load(examples) {
  const { build } = await import('esbuild');
  const outdir = await mkdtemp(join(READY_DIR, 'examples-'));
  try {
    const entryPoints = examples.map((name) => join(root, 'examples', `${name}.ts`));
    const outExtension = { '.js': '.mjs' };
    await build({
      entryPoints,
      outdir,
      outExtension,
      packages: 'external',
      platform: 'node',
      bundle: true,
      format: 'esm',
    });
    const modules = examples.map((name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href));
    return (await Promise.all(modules)).map(({ main }) => main);
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
