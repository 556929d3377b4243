import type { JsonObject } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { sha256 } from '../values/hash.js';
import { hashArgs } from './requests.js';

const LONG = 'a line of a file\n'.repeat(1_000);

test('arguments hash alike in whatever order they stand', () => {
  expect(hashArgs('write', { path: 'a', content: LONG })).toBe(
    hashArgs('write', { content: LONG, path: 'a' }),
  );
});

test('no two sets of arguments share a hash, however long their texts are [A3]', () => {
  const protoKey = JSON.parse(`{"__proto__":${JSON.stringify(LONG)}}`) as JsonObject;
  const sets: readonly JsonObject[] = [
    {},
    { content: LONG },
    { content: `${LONG}!` },
    { content: LONG, other: LONG },
    { content: LONG, path: 'a' },
    { content: LONG, path: 'b' },
    { other: LONG },
    { content: sha256(LONG) },
    { content: [LONG] },
    { content: { content: LONG } },
    // Both are stored as the sign for a bad character.
    { content: `${LONG}\ud800` },
    { content: `${LONG}\udfff` },
    { content: `${LONG}\ufffd` },
    protoKey,
  ];
  const hashes = sets.flatMap((args) => [hashArgs('write', args), hashArgs('append', args)]);
  expect(new Set(hashes).size).toBe(2 * sets.length);
});
