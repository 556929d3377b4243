/**
 * @typedef {import('../../packages/testkit/src/requirements.js').Requirement} Requirement
 * @typedef {import('../source/citations.mjs').Citation} Citation
 */

/**
 * docs/requirements.md: what is promised, how far it is kept, and which tests show it.
 * @param {readonly Requirement[]} requirements
 * @param {readonly Citation[]} citations
 */
export function requirementsPage(requirements, citations) {
  const count = (/** @type {Requirement['delivered']} */ state) =>
    requirements.filter(({ delivered }) => delivered === state).length;
  const lines = [
    '# Requirements',
    '',
    'Made by `npm run docs` from packages/testkit/src/requirements.ts and the titles of the tests. Do not edit.',
    '',
    `Of ${requirements.length} requirements ${count('yes')} are delivered, ${count('partly')} partly, and ${count('no')} are still to come.`,
    'A test shows a requirement by citing its id at the end of its title, as in `[S2]` or `[S2, S3]`.',
  ];
  let section = '';
  for (const requirement of requirements) {
    if (requirement.section !== section) {
      section = requirement.section;
      lines.push('', `## ${section}`);
    }
    lines.push('', `### ${requirement.id}`, '', ...requirement.sentences, '', `**${stateOf(requirement)}**`);
    const shownBy = citations.filter(({ ids }) => ids.includes(requirement.id));
    if (shownBy.length > 0) lines.push('', ...shownBy.map(({ file, title }) => `- ${file}: ${title}`));
  }
  return `${lines.join('\n')}\n`;
}

/** @returns {string} */
function stateOf(/** @type {Requirement} */ requirement) {
  switch (requirement.delivered) {
    case 'yes':
      return `Delivered (${requirement.by}).`;
    case 'partly':
      return `Delivered in part (${requirement.by}). Still to come: ${requirement.missing} (${requirement.restBy}).`;
    case 'no':
      return `Still to come (${requirement.by}).`;
  }
}
