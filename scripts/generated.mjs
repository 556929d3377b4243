import { apiReference, neededNames, readDoors } from './docs/api-reference.mjs';
import { exportsList } from './docs/exports-list.mjs';
import { failuresPage } from './docs/failures-page.mjs';
import { requirementsPage } from './docs/requirements-page.mjs';

/**
 * What the generated files are made from. The script reads it from the built packages, the test that
 * compares from their sources; only types are always read as they were built.
 * @typedef {{
 *   protocol: Pick<typeof import('@countersign/protocol'), 'FAILURES' | 'explain'>,
 *   samples: typeof import('../packages/protocol/src/failures/failure-samples.js').FAILURE_SAMPLES,
 *   requirements: typeof import('../packages/testkit/src/requirements.js').REQUIREMENTS,
 *   modules: Readonly<Record<string, object>>,
 * }} Origin
 */

/**
 * Every tracked file that is made from others.
 * @param {Origin} from
 * @returns {{ path: string, text: string }[]}
 */
export function generatedFiles({ protocol, samples, requirements, modules }) {
  return [
    { path: 'docs/API.md', text: apiReference(readDoors(), neededNames()) },
    { path: 'docs/FAILURES.md', text: failuresPage(protocol, samples) },
    { path: 'docs/requirements.md', text: requirementsPage(requirements) },
    { path: 'tests/repository/exports.json', text: exportsList(modules) },
  ];
}
