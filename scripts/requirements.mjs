// Prints requirements, each with its status and the tests that cite it; with ids, only those.
//   node scripts/requirements.mjs [ID…]
import { requirementText } from './docs/requirements-page.mjs';
import { readCitations } from './source/citations.mjs';

/** @type {typeof import('../packages/testkit/src/requirements.js')} */
const { REQUIREMENTS } = await import(
  new URL('../packages/testkit/dist/requirements.js', import.meta.url).href
);
const wanted = process.argv.slice(2);
const known = new Set(REQUIREMENTS.map(({ id }) => String(id)));
const unknown = wanted.filter((id) => !known.has(id));
if (unknown.length > 0) {
  console.error(`No such requirement: ${unknown.join(', ')}. docs/requirements.md lists all ids.`);
  process.exitCode = 2;
} else {
  const citations = readCitations();
  for (const requirement of REQUIREMENTS) {
    if (wanted.length === 0 || wanted.includes(requirement.id))
      console.log(requirementText(requirement, citations));
  }
}
