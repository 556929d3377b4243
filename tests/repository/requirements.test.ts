import { expect, test } from 'vitest';
import { REQUIREMENT_IDS, REQUIREMENTS, type Requirement } from '../../packages/testkit/src/requirements.js';
import { idsCitedIn, readCitations } from '../../scripts/source/citations.mjs';

const citations = readCitations();

test('every requirement that a test cites exists', () => {
  const known = new Set<string>(REQUIREMENT_IDS);
  const unknown = citations.flatMap(({ file, title, ids }) =>
    ids.filter((id) => !known.has(id)).map((id) => `${id} in ${file}: ${title}`),
  );
  expect(unknown).toEqual([]);
});

test('every requirement that is delivered, even in part, is shown by a test', () => {
  console.log(`Still to come: ${REQUIREMENTS.flatMap(stillToCome).join(', ')}`);
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  const unshown = REQUIREMENTS.filter(({ id, delivered }) => delivered !== 'no' && !cited.has(id));
  expect(unshown.map(({ id, delivered }) => `${id} (delivered: ${delivered})`)).toEqual([]);
});

test('ids are cited in brackets, one or several', () => {
  expect(idsCitedIn('two edits of one file both land [S2]')).toEqual(['S2']);
  expect(idsCitedIn('survives a crash [A6, J2] [J1]')).toEqual(['A6', 'J2', 'J1']);
  expect(idsCitedIn('a table [a, b] or S2 without brackets cites nothing')).toEqual([]);
});

test('ids go up by one within their section, and each section has a title', () => {
  const sections = [...new Set(REQUIREMENTS.map(({ section }) => section))];
  for (const section of sections) {
    const ids = REQUIREMENTS.filter((each) => each.section === section).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => `${section[0]}${index + 1}`));
  }
});

function stillToCome(requirement: Requirement): string[] {
  switch (requirement.delivered) {
    case 'yes':
      return [];
    case 'partly':
      return [`${requirement.id} in part (${requirement.restBy})`];
    case 'no':
      return [`${requirement.id} (${requirement.by})`];
  }
}
