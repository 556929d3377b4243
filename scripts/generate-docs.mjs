// Writes the generated files (npm run docs), or with --check only says which are out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated.mjs';
import { packagesWithIndex, root } from './source/files.mjs';

const built = (/** @type {string} */ path) => import(new URL(`../packages/${path}`, import.meta.url).href);

/** @type {Record<string, object>} */
const modules = {};
for (const name of packagesWithIndex()) modules[name] = await built(`${name}/dist/index.js`);

const files = generatedFiles({
  protocol: await built('protocol/dist/failures/failure.js'),
  samples: (await built('protocol/dist/failures/failure-samples.js')).FAILURE_SAMPLES,
  requirements: (await built('testkit/dist/requirements.js')).REQUIREMENTS,
  modules,
});
const outOfDate = files.filter(({ path, text }) => readText(path) !== text);

if (process.argv.includes('--check')) {
  for (const { path } of outOfDate) console.error(`${path} is out of date. Run: npm run docs`);
  process.exitCode = outOfDate.length > 0 ? 1 : 0;
} else {
  for (const { path, text } of outOfDate) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`Wrote ${path}.`);
  }
  if (outOfDate.length === 0) console.log('All generated files are up to date.');
}

function readText(/** @type {string} */ path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
}
