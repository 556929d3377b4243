import { expect, test } from 'vitest';
import { instrumented } from '../../scripts/walk/instrument.mjs';

const TEXT = `
export function outer(list) {
  class Box { #n = 1; get n() { return this.#n; } static of = () => new Box(); }
  const double = (n) => n * 2, pair = (n) => ({ n, twice: (() => double(n))() });
  return list.map((n) => pair(n).twice + Box.of().n);
}
`;

test('every function reports that it was entered, in order, and does what it did before', async () => {
  const entered: string[] = [];
  Object.assign(globalThis, { walkEntered: (name: string) => entered.push(name) });
  const load = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`);
  const { outer } = await load(instrumented(TEXT, 'a/b'));
  expect(outer([1, 2])).toEqual([3, 5]);
  expect(outer([1, 2])).toEqual((await load(TEXT)).outer([1, 2]));
  expect(new Set(entered).size).toBe(7);
  expect(entered[0]).toBe('a/b#0');
  Reflect.deleteProperty(globalThis, 'walkEntered');
});
