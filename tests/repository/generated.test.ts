import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@countersign/protocol';
import { expect, test } from 'vitest';
import { FAILURE_SAMPLES } from '../../packages/protocol/src/failure-samples.js';
import { REQUIREMENTS } from '../../packages/testkit/src/requirements.js';
import { generatedFiles } from '../../scripts/generated.mjs';
import { packageNames, root } from '../../scripts/source/files.mjs';

const modules: Record<string, object> = {};
for (const name of packageNames()) modules[name] = await import(`../../packages/${name}/src/index.ts`);

test.each(generatedFiles({ protocol, samples: FAILURE_SAMPLES, requirements: REQUIREMENTS, modules }))(
  '$path is up to date',
  ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8'), 'Out of date. Run: npm run docs').toBe(text);
  },
);

test('every sample is filed under its own code', () => {
  for (const [code, sample] of Object.entries(FAILURE_SAMPLES)) expect(sample.code).toBe(code);
});
