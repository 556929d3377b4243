import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageNames, root } from '../../scripts/source/files.mjs';

const DECISION = 'docs/decisions/0006-dependencies.md';
const MANIFESTS = ['package.json', ...packageNames().map((name) => `packages/${name}/package.json`)];
const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'overrides'];

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const declared = new Set(
  MANIFESTS.flatMap((path) => {
    const manifest = JSON.parse(read(path));
    return FIELDS.flatMap((field) => Object.keys(manifest[field] ?? {}));
  }).filter((name) => !name.startsWith('@countersign/')),
);

/** The rows of all tables: which packages, for what, and why. */
const rows = read(DECISION)
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));
const explained = rows.flatMap(([names = '']) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

test('every dependency of every manifest has a line on why this one was chosen', () => {
  expect([...declared].filter((name) => !explained.includes(name))).toEqual([]);
  expect(rows.filter(([, purpose = '', reason = '']) => purpose.length < 3 || reason.length < 10)).toEqual(
    [],
  );
});

test('every dependency that the decision explains is still declared, and is explained once', () => {
  expect(explained.filter((name) => !declared.has(name))).toEqual([]);
  expect(explained.filter((name, index) => explained.indexOf(name) !== index)).toEqual([]);
});
