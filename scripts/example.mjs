// Runs one of the programs in examples/ and prints what it found out: node scripts/example.mjs batch
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { READY_DIR } from './ready/stamp.mjs';
import { root } from './source/files.mjs';

const NAMES = readdirSync(join(root, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const name = process.argv[2] ?? '';
if (NAMES.includes(name)) {
  console.log(JSON.stringify(await run(name), null, 2));
} else {
  console.error(`Say which example: ${NAMES.join(', ')}.`);
  process.exitCode = 2;
}

/** Node 20 does not read TypeScript, so it is translated first. Inside the checkout, where its packages are found. */
async function run(/** @type {string} */ example) {
  const { build } = await import('esbuild');
  const directory = await mkdtemp(join(READY_DIR, 'example-'));
  try {
    const outfile = join(directory, `${example}.mjs`);
    const entryPoints = [join(root, 'examples', `${example}.ts`)];
    await build({
      entryPoints,
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const { main } = await import(pathToFileURL(outfile).href);
    return await main();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
