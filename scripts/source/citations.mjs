import { testFiles } from './files.mjs';
import { parseFile, testTitlesIn } from './syntax.mjs';

/** @typedef {{ file: string, title: string, ids: readonly string[] }} Citation */

/**
 * Every test title that cites a requirement.
 * @returns {Citation[]}
 */
export function readCitations() {
  return testFiles().flatMap((file) => {
    const titles = testTitlesIn(parseFile(file));
    return titles
      .map((title) => ({ file, title, ids: idsCitedIn(title) }))
      .filter(({ ids }) => ids.length > 0);
  });
}

/** `two edits of one file both land [S2, S3]` cites S2 and S3; brackets with anything else in them cite nothing. */
export function idsCitedIn(/** @type {string} */ title) {
  const lists = title.matchAll(/\[([A-Z]\d+(?:, ?[A-Z]\d+)*)\]/g);
  return [...lists].flatMap(([, list = '']) => list.split(/, ?/));
}
