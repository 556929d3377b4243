import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@countersign/protocol';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../../packages/testkit/src/requirements.js';
import { generatedFiles } from '../../scripts/generated.mjs';
import { readCitations } from '../../scripts/source/citations.mjs';
import { packagesWithIndex, root } from '../../scripts/source/files.mjs';

const modules: Record<string, object> = {};
for (const name of packagesWithIndex()) modules[name] = await import(`../../packages/${name}/src/index.ts`);

const generated = generatedFiles({
  protocol,
  samples: protocol.FAILURE_SAMPLES,
  requirements: REQUIREMENTS,
  modules,
});

test.each(generated)('$path is up to date', ({ path, text }) => {
  expect(readFileSync(join(root, path), 'utf8'), 'Out of date. Run: npm run docs').toBe(text);
});

test('no generated file repeats the title of a test, so that renaming one leaves nothing out of date', () => {
  const titles = readCitations().map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(0);
  const repeated = generated.flatMap(({ path, text }) =>
    titles.filter((title) => text.includes(title)).map((title) => `${path}: ${title}`),
  );
  expect(repeated).toEqual([]);
});

test('every sample is filed under its own code', () => {
  for (const [code, sample] of Object.entries(protocol.FAILURE_SAMPLES)) expect(sample.code).toBe(code);
});
