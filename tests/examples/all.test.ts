import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesUnder, root } from '../../scripts/source/files.mjs';
import { importsIn, parseFile, visit } from '../../scripts/source/syntax.mjs';

const EXAMPLES = filesUnder('examples').filter((path) => path.endsWith('.ts'));
const nameOf = (path: string) => path.replace(/^examples\/|\.ts$/g, '');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-examples-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('run one after the other in one process, they leave no timer, listener, process, warning or file [S6, E1]', () => {
  const argv = [join(root, 'scripts/example.mjs'), ...EXAMPLES.map(nameOf)];
  const env = { ...process.env, TMPDIR: directory };
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8', timeout: 15_000 });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readdirSync(directory)).toEqual([]);
});

test('they import the package as its users do, and nothing of the repository [E2]', () => {
  const ours = ['countersign', 'countersign/compat', 'countersign/testing', 'countersign/react'];
  const allowed = [...ours, 'ink', 'react', 'zod'];
  for (const path of EXAMPLES) {
    const specifiers = importsIn(parseFile(path)).map(({ specifier }) => specifier);
    expect(specifiers.filter((name) => !allowed.includes(name) && !name.startsWith('node:'))).toEqual([]);
  }
});

test('none of them needs a cast, or switches a type off [E2]', () => {
  const wrong: string[] = [];
  for (const path of EXAMPLES) {
    visit(parseFile(path), ({ type }) => {
      if (['TSAsExpression', 'TSTypeAssertion', 'TSNonNullExpression', 'TSAnyKeyword'].includes(type)) {
        wrong.push(`${path} ${type}`);
      }
    });
  }
  expect(wrong).toEqual([]);
});

test('each has a test of its own', () => {
  const tested = filesUnder('tests/examples').flatMap((path) =>
    importsIn(parseFile(path)).map(({ specifier }) => specifier.replace(/^.*\/examples\/|\.js$/g, '')),
  );
  expect(EXAMPLES.map(nameOf).filter((name) => !tested.includes(name))).toEqual([]);
  expect(existsSync(join(root, 'examples/README.md'))).toBe(true);
});
