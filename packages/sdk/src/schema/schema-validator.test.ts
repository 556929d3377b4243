import { expect, test } from 'vitest';
import { SchemaValidator } from './schema-validator.js';

const deploy = {
  type: 'object',
  properties: {
    target: { type: 'string', minLength: 2 },
    replicas: { type: 'integer', minimum: 1, maximum: 9 },
    share: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
    stage: { enum: ['test', 'live'] },
    kind: { const: 'web' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2, uniqueItems: true },
    note: { type: ['string', 'null'] },
    host: { type: 'string', format: 'hostname' },
    code: { type: 'string', pattern: '^[A-Z]+$' },
    when: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    options: {
      type: 'object',
      properties: { dry: { type: 'boolean' } },
      required: ['dry'],
      additionalProperties: false,
    },
  },
  required: ['target'],
};
const problem = (args: unknown, schema: object = deploy) => SchemaValidator.validate(schema, args, 'deploy');

test('arguments that fit have no problem [E2]', () => {
  expect(problem({ target: 'eu' })).toBeNull();
  expect(problem({ target: 'eu', replicas: 2, note: null, when: 3, options: { dry: true } })).toBeNull();
});

test.each([
  [{}, '"target" is required (string of at least 2 characters)'],
  [{ target: 3 }, '"target" must be a string of at least 2 characters, not 3'],
  [{ target: 'x' }, '"target" must be a string of at least 2 characters, not "x"'],
  [{ target: 'eu', replicas: '2' }, '"replicas" must be a whole number of at least 1 and at most 9, not "2"'],
  [{ target: 'eu', replicas: 1.5 }, '"replicas" must be a whole number of at least 1 and at most 9, not 1.5'],
  [
    { target: 'eu', share: 0.3 },
    '"share" must be a number of more than 0 that is a multiple of 0.5, not 0.3',
  ],
  [{ target: 'eu', stage: 'prod' }, '"stage" must be one of "test", "live", not "prod"'],
  [{ target: 'eu', kind: 'job' }, '"kind" must be "web", not "job"'],
  [{ target: 'eu', tags: ['a', 1] }, '"tags[1]" must be a string, not 1'],
  [
    { target: 'eu', tags: ['a', 'a'] },
    '"tags" must be a list of strings with at least 1 and at most 2 items and no item twice, not a list of 2',
  ],
  [{ target: 'eu', note: 1 }, '"note" must be a string or null, not 1'],
  [{ target: 'eu', host: '-' }, '"host" must be a string in the format "hostname", not "-"'],
  [{ target: 'eu', code: 'x' }, '"code" must be a string that matches "^[A-Z]+$", not "x"'],
  [{ target: 'eu', when: true }, '"when" must be a string or a whole number, not true'],
  [{ target: 'eu', options: {} }, '"options.dry" is required (true or false)'],
  [
    { target: 'eu', options: { dry: true, wet: 1 } },
    '"options.wet" is not an argument of options (known: dry)',
  ],
  [{ replicas: 0, stage: 1 }, '"target" is required'],
])('%j: the problem names the argument and what is expected [L3]', (args, expected) => {
  expect(problem(args)).toContain(expected);
});

test('all problems are reported at once, each of them once [L3]', () => {
  expect(problem({ replicas: 0, stage: 1 })).toBe(
    '"target" is required (string of at least 2 characters); ' +
      '"replicas" must be a whole number of at least 1 and at most 9, not 0; ' +
      '"stage" must be one of "test", "live", not 1',
  );
});

test("the schema's own additionalProperties decides about unknown arguments [L3]", () => {
  expect(problem({ target: 'eu', colour: 'red' })).toBeNull();
  expect(problem({ target: 'eu', colour: 'red' }, { ...deploy, additionalProperties: false })).toBe(
    '"colour" is not an argument of deploy (known: target, replicas, share, stage, kind, tags, note, host, code, when, options)',
  );
  const numbers = { type: 'object', additionalProperties: { type: 'number' } };
  expect(problem({ a: 1, b: 'x' }, numbers)).toBe('"b" must be a number, not "x"');
});

test('alternatives are reported as such, only the nearest ones [L3]', () => {
  const either = {
    anyOf: [{ required: ['path'] }, { required: ['url'] }],
    properties: { path: { type: 'string' }, url: { type: 'string' } },
  };
  expect(problem({}, either)).toBe('"path" is required (string), or "url" is required (string)');
  const where = {
    properties: {
      place: {
        oneOf: [
          {
            type: 'object',
            properties: { file: { type: 'string' }, line: { type: 'integer' } },
            required: ['file', 'line'],
          },
          { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
          { type: 'string' },
        ],
      },
    },
  };
  expect(problem({ place: { line: 1 } }, where)).toBe(
    '"place.file" is required (string), or "place.url" is required (string)',
  );
  expect(problem({ place: 1 }, where)).toBe('"place" must be an object or a string, not 1');
  const overlapping = { properties: { n: { oneOf: [{ type: 'integer' }, { minimum: 5 }] } } };
  expect(problem({ n: 7 }, overlapping)).toBe('"n" matches several alternatives, and must match exactly one');
});

test('a part of the schema that is referred to is followed, also in a message', () => {
  const tree = {
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/node' } } },
      },
    },
    properties: { root: { $ref: '#/$defs/node' } },
  };
  expect(problem({ root: { name: 'a', below: [{ name: 'b' }] } }, tree)).toBeNull();
  expect(problem({ root: { below: [{ name: 1 }] } }, tree)).toBe(
    '"root.below[0].name" must be a string, not 1',
  );
});

test('type names of the Gemini API are accepted, only as the value of `type` [E2]', () => {
  const schema = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', enum: ['STRING', 'OBJECT'] },
      list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
      maybe: { type: 'NUMBER', nullable: true },
    },
    required: ['type'],
  };
  expect(problem({ type: 'STRING', list: [1], maybe: null }, schema)).toBeNull();
  expect(problem({ type: 'string' }, schema)).toBe('"type" must be one of "STRING", "OBJECT", not "string"');
  expect(problem({ type: 'OBJECT', list: [] }, schema)).toContain(
    '"list" must be a list of whole numbers with at least 1 items',
  );
  expect(problem({ type: 'OBJECT', maybe: 'x' }, schema)).toBe('"maybe" must be a number or null, not "x"');
});

test('arguments that are not an object are reported as such [L3]', () => {
  expect(problem(null)).toBe('the arguments of deploy must be an object, not null');
  expect(problem([1])).toBe('the arguments of deploy must be an object, not a list of 1');
  expect(SchemaValidator.validate(undefined, { anything: 1 })).toBeNull();
  expect(SchemaValidator.validate(undefined, 'text')).toBe(
    'the arguments of this tool must be an object, not "text"',
  );
});

test('arguments that are undefined count as omitted', () => {
  expect(problem({ target: 'eu', replicas: undefined })).toBeNull();
  expect(problem({ target: undefined })).toContain('"target" is required');
});

test('hostile arguments get a clean problem and never a crash [L3]', () => {
  let deep: object = {};
  for (let depth = 0; depth < 50_000; depth += 1) deep = { deep };
  expect(problem({ target: 'eu', deep })).toBe(
    'the arguments of deploy cannot be used: they are nested deeper than 200 levels',
  );
  const circle: { target: string; self?: object } = { target: 'eu' };
  circle.self = circle;
  expect(problem(circle)).toMatch(/^the arguments of deploy cannot be used: they refer to themselves/);
  expect(problem({ target: () => 1 })).toMatch(/they hold a function/);
  expect(problem(JSON.parse('{"__proto__":{"target":"eu"}}'))).toContain('"target" is required');
  expect(
    problem({ target: 'eu', 'a/b~c': 1, '\ud800': 1 }, { ...deploy, additionalProperties: false }),
  ).not.toBeNull();
});

test('a schema that cannot be used lets nothing pass', () => {
  expect(problem({ a: 'x' }, { properties: { a: { $ref: '#/$defs/missing' } } })).toMatch(
    /^the schema of deploy cannot be used: /,
  );
  expect(problem({ a: 'x' }, { properties: { a: { pattern: '(' } } })).toMatch(
    /^the schema of deploy cannot be used: /,
  );
  const circle: { properties: { self?: object } } = { properties: {} };
  circle.properties.self = circle;
  expect(problem({ a: 'x' }, circle)).toMatch(/^the schema of deploy cannot be used: /);
});
