import { expect, test } from 'vitest';
import { findCycle } from '../../scripts/source/import-graph.mjs';
import { importsIn, parseText, testTitlesIn } from '../../scripts/source/syntax.mjs';

const importsOf = (text: string) =>
  importsIn(parseText(text, 'ts')).map(
    ({ specifier, kind, names }) => `${kind} ${names.join('+')} ${specifier}`,
  );

test('imports are found in every spelling, types and values apart', () => {
  expect(importsOf("import type { A } from 'a';")).toEqual(['type A a']);
  expect(importsOf("import { b, type C } from 'b';")).toEqual(['type C b', 'value b b']);
  expect(importsOf("import d, * as all from 'd';")).toEqual(['value default+* d']);
  expect(importsOf("import 'e';")).toEqual(['value  e']);
  expect(importsOf("export * from 'f'; export type * from 'g';")).toEqual(['value * f', 'type * g']);
  expect(importsOf("export { h as i, type J } from 'h';")).toEqual(['type J h', 'value h h']);
  expect(importsOf("type K = import('k').K; const l = () => import('l');")).toEqual([
    'type * k',
    'value * l',
  ]);
});

test('what only looks like an import is none', () => {
  expect(importsOf("// import 'a'\nconst text = \"import 'b'\"; export const c = 1;")).toEqual([]);
});

test('test titles are found in every spelling', () => {
  const titles = testTitlesIn(
    parseText(
      `describe('outer', () => {
        test('plain', () => {});
        it.runIf(true)('conditional', () => {});
        test.each([['a (b)', 1]])('of a table', () => {});
        test(\`of \${'a'} template\`, () => {});
        other('no test', () => {});
      });`,
      'ts',
    ),
  );
  expect(titles).toEqual(['outer', 'plain', 'conditional', 'of a table', 'of ${…} template']);
});

test('a cycle is found and named, a diamond is none', () => {
  const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }));
  expect(findCycle(edges('ab', 'ac', 'bd', 'cd'))).toBeNull();
  expect(findCycle(edges('ab', 'bc', 'cd', 'db'))).toEqual(['b', 'c', 'd', 'b']);
  expect(findCycle(edges('aa'))).toEqual(['a', 'a']);
});
