import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder, packageNames, root, sourceFiles } from '../../scripts/source/files.mjs';
import { parseFile, textsIn } from '../../scripts/source/syntax.mjs';

const GLOSSARY = 'docs/GLOSSARY.md';
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Documents that still contain retired words. A clean document is removed from this list; none is added. */
const DOCUMENTS_TO_DO: readonly string[] = [];
/** Files that still have a retired word in their name. */
const FILES_TO_DO: readonly string[] = [];

/** Generated from test titles, failures or declarations: their sources are checked instead. */
const GENERATED = new Set(['docs/API.md', 'docs/FAILURES.md', 'docs/requirements.md']);

/** The words in code marks in the left column of one table of the glossary. */
function retired(heading: string): readonly string[] {
  const table = read(GLOSSARY).split(`| ${heading} | instead |\n`)[1]?.split('\n\n')[0] ?? '';
  return table.split('\n').flatMap((row) => {
    const [, words = ''] = row.split('|');
    return [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  });
}

const WORDS = new RegExp(`\\b(?:${retired('retired').join('|')})\\b`, 'i');
const IN_NAMES = new RegExp(`\\b(?:${retired('retired in file names').join('|')})\\b`, 'i');

/** The packages whose texts users read. The testkit is for contributors, and quotes the specification. */
const packages = packageNames().filter((name) => name !== 'testkit');
const isForUsers = (path: string): boolean => !path.includes('/testing/');

/** A text of three words or more is one that somebody reads; anything shorter may be a name in the code. */
const isProse = (text: string): boolean => text.trim().split(/\s+/).length >= 3;

const documents = ['README.md', ...filesUnder('docs')].filter(
  (path) => /^README|^docs\/(?:guide\/)?[^/]+\.md$/.test(path) && !GENERATED.has(path) && path !== GLOSSARY,
);

const hitsIn = (path: string): readonly string[] =>
  read(path)
    .split('\n')
    .flatMap((line, index) => (WORDS.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));

test('the glossary lists retired words, and the search finds them', () => {
  expect(retired('retired').length).toBeGreaterThan(40);
  expect(retired('retired in file names').length).toBeGreaterThan(5);
  expect('Whoever reads this').toMatch(WORDS);
  expect('The file can not be read.').toMatch(WORDS);
  expect('A recommended amendment').not.toMatch(WORDS);
});

describe('retired words do not occur', () => {
  test.each(packages)('in texts of packages/%s', (name) => {
    const found = sourceFiles(name)
      .filter(isForUsers)
      .flatMap((path) =>
        textsIn(parseFile(path))
          .filter((text) => isProse(text) && WORDS.test(text))
          .map((text) => `${path}: ${WORDS.exec(text)?.[0]}: ${text}`),
      );
    expect(found, `${GLOSSARY} has the words to use instead.`).toEqual([]);
  });

  test('in documents', () => {
    const clean = documents.filter((path) => !DOCUMENTS_TO_DO.includes(path));
    expect(clean.flatMap(hitsIn), `${GLOSSARY} has the words to use instead.`).toEqual([]);
  });

  test('in file names', () => {
    const files = ['packages', 'scripts', 'tests', 'examples', 'bench'].flatMap(filesUnder);
    const found = files.filter((path) => IN_NAMES.test(basename(path)) && !FILES_TO_DO.includes(path));
    expect(found, `${GLOSSARY} has the words to use instead.`).toEqual([]);
  });
});

test('files without retired words are removed from the lists of files to do', () => {
  expect(DOCUMENTS_TO_DO.filter((path) => !documents.includes(path) || hitsIn(path).length === 0)).toEqual(
    [],
  );
  expect(FILES_TO_DO.filter((path) => !filesUnder('packages').includes(path))).toEqual([]);
});
