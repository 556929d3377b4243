import { expect, test } from 'vitest';
import { objectSchema } from './object-schema.js';

test('a schema that both wires take stays as it is [G1]', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, required: ['a'] };
  expect(objectSchema(schema)).toEqual(schema);
});

test('alternatives at the top become one object that knows all their arguments [G1]', () => {
  const [a, b, c] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];
  expect(
    objectSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      oneOf: [{ properties: { a } }, { type: 'object', properties: { b } }],
      properties: { c },
      additionalProperties: false,
    }),
  ).toEqual({ type: 'object', properties: { a, b, c }, additionalProperties: false });
});
