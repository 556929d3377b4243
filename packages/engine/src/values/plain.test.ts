import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainObject } from './plain.js';

/** Whatever may come, wrapped so that it is an object. */
const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

function throughJson(value: unknown): unknown {
  try {
    return { ok: true, value: JSON.parse(JSON.stringify(value)) };
  } catch {
    return { ok: false };
  }
}

function plain(value: unknown): unknown {
  const copied = plainObject(value);
  return copied.ok ? copied : { ok: false };
}

test('a plain copy is what comes back from JSON', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(plain({ value })).toStrictEqual(throughJson({ value }));
    }),
    { numRuns: 2_000 },
  );
});

test('what JSON treats in its own way is left to it', () => {
  class Secretive {
    #hidden = 1;
    shown = 2;
    toJSON = () => this.#hidden;
  }
  const inherits: unknown = JSON.parse('{"__proto__": {"admin": true}, "a": 1}');
  const sparse: unknown[] = [1];
  sparse[2] = 2;
  const odd = [
    -0,
    Number.NaN,
    new Date(0),
    new Secretive(),
    inherits,
    sparse,
    { toJSON: () => 'x' },
    new Map([[1, 2]]),
  ];
  for (const value of odd) {
    expect(plain({ value })).toStrictEqual(throughJson({ value }));
  }
});

test('a copy shares nothing with what it was made from', () => {
  const given = { list: [{ deep: 'as it was' }] };
  const copied = plainObject(given);
  given.list[0] = { deep: 'changed' };
  given.list.push({ deep: 'added' });
  expect(copied).toEqual({ ok: true, value: { list: [{ deep: 'as it was' }] } });
});

test('what has no end is refused, and what is nested deeply is not', () => {
  const endless: { self?: unknown } = {};
  endless.self = endless;
  expect(plainObject(endless)).toMatchObject({ ok: false, problem: expect.stringContaining('circular') });
  let deep: unknown = 'bottom';
  for (let i = 0; i < 800; i++) deep = { deep };
  expect(plain({ deep })).toStrictEqual(throughJson({ deep }));
});

test('what is nested deeper than the journal can read is refused', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"[":'.repeat(depth)}"}"${'}'.repeat(depth)}`);
  expect(plainObject(nested(900))).toMatchObject({ ok: true });
  expect(plainObject(nested(901))).toEqual({ ok: false, problem: 'it is nested more than 900 deep' });
});
