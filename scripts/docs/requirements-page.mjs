/**
 * @typedef {import('../../packages/testkit/src/requirements.js').Requirement} Requirement
 * @typedef {import('../source/citations.mjs').Citation} Citation
 */

const SUMMARY_CHARS_MAX = 110;

/**
 * docs/requirements.md: what is promised, in short, and what is delivered. Made from the list of requirements alone: the tests
 * that show one are printed on demand, so that a new or renamed test leaves no file out of date.
 * @param {readonly Requirement[]} requirements
 */
export function requirementsPage(requirements) {
  const count = (/** @type {Requirement['delivered']} */ state) =>
    requirements.filter(({ delivered }) => delivered === state).length;
  const sections = [...new Set(requirements.map(({ section }) => section))];
  return [
    '# Requirements',
    '',
    'Made by `npm run docs` from packages/testkit/src/requirements.ts. Do not edit.',
    '',
    `Of ${requirements.length} requirements ${count('yes')} are delivered, ${count('partly')} in part, and ${count('no')} are planned.`,
    'A test shows a requirement by citing its id at the end of its title, as in `[S2]` or `[S2, S3]`; another test checks that',
    'every delivered requirement is cited. `node scripts/requirements.mjs` prints the whole text of each, with the tests that cite',
    'it; `node scripts/requirements.mjs S2` prints one.',
    ...sections.flatMap((section) => [
      '',
      `## ${section}`,
      '',
      '| id | in short | status |',
      '|---|---|---|',
      ...requirements
        .filter((each) => each.section === section)
        .map((each) => `| ${each.id} | ${cell(summaryOf(each))} | ${cell(statusOf(each))} |`),
    ]),
    '',
  ].join('\n');
}

/** The whole text of a requirement, its status, and every test that cites it. */
export function requirementText(
  /** @type {Requirement} */ requirement,
  /** @type {readonly Citation[]} */ citations,
) {
  const { id, sentences } = requirement;
  const shownBy = citations.filter(({ ids }) => ids.includes(id));
  return [
    `${id}: ${statusOf(requirement)}`,
    ...sentences.map((sentence) => `  ${sentence}`),
    ...shownBy.map(({ file, title }) => `  - ${file}: ${title}`),
    '',
  ].join('\n');
}

/** @returns {string} */
function statusOf(/** @type {Requirement} */ requirement) {
  switch (requirement.delivered) {
    case 'yes':
      return 'delivered';
    case 'partly':
      return `in part; planned: ${requirement.missing} (${requirement.restBy})`;
    case 'no':
      return `planned (${requirement.by})`;
  }
}

/** Its first sentence, cut between two words. */
function summaryOf(/** @type {Requirement} */ { sentences }) {
  const [first = ''] = sentences;
  if (first.length <= SUMMARY_CHARS_MAX) return first;
  const cut = first.slice(0, SUMMARY_CHARS_MAX - 1);
  // An odd number of backticks would leave a piece of code open.
  const words = cut.slice(0, cut.lastIndexOf(' '));
  const whole = words.split('`').length % 2 === 1 ? words : words.slice(0, words.lastIndexOf('`'));
  return `${whole.trimEnd().replace(/[,:;(]+$/, '')} …`;
}

const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');
