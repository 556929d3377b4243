import { schemaIssues } from '@countersign/host';
import type { JsonObject } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { schemaCheck } from './schema-check.js';
import { schemaProblem } from './schema-problem.js';

const withProperty = (x: JsonObject): JsonObject => ({ type: 'object', properties: { x } });

describe('a schema of someone else', () => {
  test.each<[string, JsonObject]>([
    ['its type is undefined, and must be "object"', {}],
    ['properties is not an object', { type: 'object', properties: 5 }],
    ['properties/x/type is "strnig", which is not a type', withProperty({ type: 'strnig' })],
    ['properties/x/items/0 is not a schema', withProperty({ items: [7] })],
    ['properties/x/anyOf is not a list', withProperty({ anyOf: {} })],
    ['properties/x/pattern is not a regular expression', withProperty({ pattern: '(' })],
    ['properties/x/$ref refers to "other.json", which is not in it', withProperty({ $ref: 'other.json' })],
    ['properties/x/minimum is not a number', withProperty({ minimum: '1' })],
    ['it is too large', withProperty({ description: 'x'.repeat(100_001) })],
  ])('is refused: %s', (problem, schema) => {
    expect(schemaProblem(schema)).toBe(problem);
  });

  test.each<[string, JsonObject]>([
    [
      'of the latest draft',
      {
        type: 'object',
        $defs: { n: { type: ['string', 'null'] } },
        properties: { x: { $ref: '#/$defs/n' } },
      },
    ],
    [
      'of draft 4',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        type: 'object',
        properties: { x: { minimum: 1, exclusiveMinimum: true } },
      },
    ],
    [
      'with properties named like keywords',
      {
        type: 'object',
        properties: { type: { type: 'string' }, properties: { type: 'object' }, $ref: { type: 'string' } },
      },
    ],
    ['with unknown keywords', { type: 'object', 'x-order': 3, properties: {} }],
  ])('is taken: %s', (_, schema) => {
    expect(schemaProblem(schema)).toBeNull();
  });
});

describe('arguments', () => {
  test('are refused by what the schema itself says of those it does not know [L3]', () => {
    const open = schemaCheck(withProperty({ type: 'number' }));
    const closed = schemaCheck({ ...withProperty({ type: 'number' }), additionalProperties: false });
    expect(schemaIssues(open({ x: 1, y: 2 }), { x: 1, y: 2 })).toEqual([]);
    expect(schemaIssues(closed({ x: 1, y: 2 }), { x: 1, y: 2 })).toEqual([{ type: 'unknown', path: ['y'] }]);
  });

  test('are refused also where only the words of an old draft say what is wrong [L3]', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...withProperty({ type: 'number' }),
      dependencies: { x: ['y'] },
    };
    expect(schemaIssues(schemaCheck(schema)({ x: 1 }), { x: 1 })).toHaveLength(1);
    expect(schemaIssues(schemaCheck(schema)({ x: 1, y: 2 }), { x: 1, y: 2 })).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ['a pattern', withProperty({ pattern: '^(a+)+$' }), `${'a'.repeat(40)}!`],
    ['patterns of names', withProperty({ patternProperties: { '^(a+)+$': {} } }), 'x'],
    ['alternatives', withProperty({ not: { pattern: '^(\\w+\\s?)*$' } }), `${'word '.repeat(20)}!`],
  ])('are checked in time, whatever the schema: %s [M2]', (_, schema, text) => {
    const elapsedMs = stopwatch();
    const value = {
      x:
        schema['properties'] && JSON.stringify(schema).includes('patternProperties')
          ? { [`${'a'.repeat(40)}!`]: 1 }
          : text,
    };
    expect(() => schemaCheck(schema)(value)).toThrow('checking against it takes more than');
    expect(elapsedMs()).toBeLessThan(1_000);
    // What comes next is checked as ever.
    expect(schemaCheck(withProperty({ pattern: '^a$' }))({ x: 'a' })).toEqual([]);
  });

  test('do not change the schema that is shown to models', () => {
    const schema = {
      type: 'object',
      $defs: { n: { type: 'number' } },
      properties: { x: { $ref: '#/$defs/n' } },
    };
    const before = structuredClone(schema);
    expect(schemaCheck(schema)({ x: 1 })).toEqual([]);
    expect(Object.getOwnPropertyNames(schema)).toEqual(Object.getOwnPropertyNames(before));
  });
});
