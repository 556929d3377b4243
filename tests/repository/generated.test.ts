import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@countersign/protocol';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../../packages/testkit/src/requirements.js';
import { generatedFiles } from '../../scripts/generated.mjs';
import { packagesWithIndex, root } from '../../scripts/source/files.mjs';

const modules: Record<string, object> = {};
for (const name of packagesWithIndex()) modules[name] = await import(`../../packages/${name}/src/index.ts`);

test.each(
  generatedFiles({ protocol, samples: protocol.FAILURE_SAMPLES, requirements: REQUIREMENTS, modules }),
)('$path is up to date', ({ path, text }) => {
  expect(readFileSync(join(root, path), 'utf8'), 'Out of date. Run: npm run docs').toBe(text);
});

test('every sample is filed under its own code', () => {
  for (const [code, sample] of Object.entries(protocol.FAILURE_SAMPLES)) expect(sample.code).toBe(code);
});
