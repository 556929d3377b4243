import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryWorkspace, temporaryWorkspace } from '../testing/index.js';
import { filesNear, nearestPaths } from './nearest-names.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const nearest = async (missing: string) =>
  (await nearestPaths(`${place.workspace}/${missing}`, place.workspace)).map((path) =>
    path.replace(`${place.workspace}/`, ''),
  );

test('misspelled names are corrected at every depth of a path [T3]', async () => {
  place.put('packages/engine/src/session.ts', '');
  expect(await nearest('packages/engine/src/sesion.ts')).toEqual(['packages/engine/src/session.ts']);
  expect(await nearest('packages/enigne/src/session.ts')).toEqual(['packages/engine/src/session.ts']);
  expect(await nearest('pakages/enigne/scr/sesion.ts')).toEqual(['packages/engine/src/session.ts']);
  expect(await nearest('Packages/Engine/SRC/Session.TS')).toEqual(['packages/engine/src/session.ts']);
});

test('the same name with another extension counts as near [T3]', async () => {
  place.put('config/settings.yaml', '');
  place.put('Makefile', '');
  expect(await nearest('config/settings.json')).toEqual(['config/settings.yaml']);
  expect(await nearest('config/settings')).toEqual(['config/settings.yaml']);
  expect(await nearest('makefile.txt')).toEqual(['Makefile']);
});

test('the same name elsewhere in the workspace is found, but not in what is not worked on [T3]', async () => {
  place.put('lib/deep/down/parser.ts', '');
  place.put('node_modules/x/parser.ts', '');
  place.put('.git/parser.ts', '');
  expect(await nearest('src/parser.ts')).toEqual(['lib/deep/down/parser.ts']);
  expect(await nearest('parser.ts')).toEqual(['lib/deep/down/parser.ts']);
});

test('what lies outside is not searched for the name', async () => {
  place.put('a/unique.ts', '');
  expect(await nearestPaths(`${place.outside}/unique.ts`, place.workspace)).toEqual([]);
});

test('a whole path comes before a part of one, and there are few [T3]', async () => {
  mkdirSync(`${place.workspace}/srx`);
  place.put('src/a.ts', '');
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) place.put(`many/${name}`, '');
  expect(await nearest('srd/a.ts')).toEqual(['src/a.ts', 'srx']);
  expect(await nearest('many/b9')).toHaveLength(3);
});

test('a search ends after so many directories, however many there are', async () => {
  for (let count = 0; count < 400; count += 1)
    mkdirSync(`${place.workspace}/d${count}/e`, { recursive: true });
  place.put('d399/e/f/wanted.ts', '');
  expect(await nearest('wanted.ts')).toEqual([]);
});

test('for a directory the files beside it and in it are near', async () => {
  place.put('index/z.ts', '');
  place.put('index.ts', '');
  expect(await filesNear(`${place.workspace}/index`)).toEqual([
    `${place.workspace}/index.ts`,
    `${place.workspace}/index/z.ts`,
  ]);
});
