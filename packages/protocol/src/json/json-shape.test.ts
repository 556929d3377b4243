import { expect, test } from 'vitest';
import { JSON_PARTS_MAX, partsProblem, shapeProblem, textShapeProblem } from './json-shape.js';

const limits = { partsMax: 5, depthMax: 3 };
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

test.each([
  ['nothing', null, null],
  ['five items', [1, 2, 3, 4, 5], null],
  ['six items', [1, 2, 3, 4, 5, 6], 'more than 5'],
  [
    'six members of two objects',
    [
      { a: 1, b: 2 },
      { c: 3, d: 4 },
    ],
    'more than 5',
  ],
  ['three levels', nested(3), null],
  ['four levels', nested(4), 'more than 3 deep'],
  ['commas, quotes and brackets in texts', { a: ',,,,,,,,"[[[[{{{{\\' }, null],
  ['a text that ends in a backslash', ['\\', '\\\\"', ',,,,,,,'], null],
])('%s: the limits of a value are those of its text [S4]', (_, value, problem) => {
  for (const found of [shapeProblem(value, limits), textShapeProblem(JSON.stringify(value), limits)])
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
});

test('what has no end is not looked into forever [S4]', () => {
  const endless: { [key: string]: unknown } = { a: 1 };
  endless['self'] = endless;
  expect(partsProblem(endless, JSON_PARTS_MAX)).toBeNull();
  expect(shapeProblem(endless)).toContain('deep');
});

test('a text of backslashes and quotes takes time in proportion to its length [S4]', () => {
  const time = (text: string) => {
    const begun = performance.now();
    textShapeProblem(text);
    return performance.now() - begun;
  };
  const text = (length: number) => `["${'\\'.repeat(length)}"`.repeat(1);
  time(text(1_000_000));
  expect(time(text(8_000_000))).toBeLessThan(40 * time(text(1_000_000)) + 50);
});
