import { failureOf } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { carryOut, planContext } from '../testing/carry-out.js';
import { defineTool } from './define-tool.js';

const paint = defineTool({
  name: 'paint',
  displayName: 'Paint',
  description: 'Paint things.',
  kind: 'other',
  input: () =>
    z
      .strictObject({
        thing: z.string(),
        coats: z.int().min(1).optional(),
        colours: z.array(z.string()).max(2).optional(),
        finish: z.enum(['matt', 'gloss']).optional(),
        options: z.strictObject({ dry: z.boolean().optional() }).optional(),
      })
      .refine(({ thing }) => thing !== 'the sky', { message: '"thing" must be within reach' }),
  renameArgs: ({ object, ...rest }) => (object === undefined ? rest : { ...rest, thing: object }),
  plan: ({ thing }) => ({ title: `Paint ${thing}`, resources: [], repeat: 'safe' }),
  run: ({ thing, coats = 1 }) => ({ llmContent: `${thing} ${coats * 2}`, returnDisplay: null }),
});

function problemsOf(args: JsonObject): readonly string[] {
  const checked = paint.check(args);
  return checked.ok ? [] : checked.problems;
}

/** What a model may really send, whatever the types say. */
const asSent = (text: string): JsonObject => JSON.parse(text);

test('a problem names the argument and what is expected [L3]', () => {
  expect(problemsOf({ thing: 'door' })).toEqual([]);
  expect(problemsOf({})).toEqual(['"thing" is required (string)']);
  expect(problemsOf({ thing: 3 })).toEqual(['"thing" must be a string, not 3']);
  expect(problemsOf({ thing: null })).toEqual(['"thing" must be a string, not null']);
  expect(problemsOf({ thing: 'door', coats: '3' })).toEqual([
    '"coats" must be a whole number of at least 1, not "3"',
  ]);
  expect(problemsOf({ thing: 'door', coats: 0 })).toEqual([
    '"coats" must be a whole number of at least 1, not 0',
  ]);
  expect(problemsOf({ thing: 'door', coats: 1.5 })).toEqual([
    '"coats" must be a whole number of at least 1, not 1.5',
  ]);
  expect(problemsOf({ thing: 'door', colours: ['red', 3] })).toEqual([
    '"colours[1]" must be a string, not 3',
  ]);
  expect(problemsOf({ thing: 'door', colours: ['a', 'b', 'c'] })).toEqual([
    '"colours" must be a list of strings with at most 2 items, not a list of 3',
  ]);
  expect(problemsOf({ thing: 'door', finish: 'satin' })).toEqual([
    '"finish" must be one of "matt", "gloss", not "satin"',
  ]);
  expect(problemsOf({ thing: 'door', options: { dry: 'yes' } })).toEqual([
    '"options.dry" must be true or false, not "yes"',
  ]);
  expect(problemsOf({ thing: 'the sky' })).toEqual(['"thing" must be within reach']);
});

test('an argument that the schema does not know is refused, also in nested objects [L3]', () => {
  expect(problemsOf({ thing: 'door', colour: 'red' })).toEqual([
    '"colour" is not an argument of paint (known: thing, coats, colours, finish, options)',
  ]);
  expect(problemsOf({ thing: 'door', options: { wet: true } })).toEqual([
    '"options.wet" is not an argument of options (known: dry)',
  ]);
});

test('an argument that a schema would silently drop is refused as well, unless it takes any [L3]', () => {
  const plan = () => ({ title: 'Look', resources: [], repeat: 'safe' }) as const;
  const look = {
    displayName: 'Look',
    description: 'Look.',
    kind: 'read',
    plan,
    run: () => ({ llmContent: '', returnDisplay: '' }),
  } as const;
  const known = defineTool({ ...look, name: 'look', input: () => z.object({ at: z.string() }) });
  expect(known.check({ at: 'a', since: 1 })).toEqual({
    ok: false,
    problems: ['"since" is not an argument of look (known: at)'],
  });
  expect(known.check({ at: 'a' })).toEqual({ ok: true, args: { at: 'a' } });
  const any = defineTool({ ...look, name: 'look', input: () => z.looseObject({ at: z.string() }) });
  expect(any.check({ at: 'a', since: 1 })).toEqual({ ok: true, args: { at: 'a', since: 1 } });
});

test('hostile arguments get a clean problem and never a crash [L3]', () => {
  expect(problemsOf(asSent('{"thing":"door","__proto__":{"coats":1}}'))).toEqual([
    '"__proto__" is not an argument of paint (known: thing, coats, colours, finish, options)',
  ]);
  expect(problemsOf(asSent('{"__proto__":{"thing":"door"}}'))).toContain('"thing" is required (string)');
  expect(problemsOf(asSent('null'))).toEqual(['the arguments of paint must be an object, not null']);
  expect(problemsOf(asSent('[1,2]'))).toEqual(['the arguments of paint must be an object, not a list of 2']);
  expect(problemsOf(asSent('"thing"'))).toEqual(['the arguments of paint must be an object, not "thing"']);
  let deep: JsonObject = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  expect(problemsOf({ thing: deep })).toEqual(['"thing" must be a string, not an object']);
  expect(problemsOf({ thing: 'door', deep })[0]).toMatch(/^"deep" is not an argument of paint/);
  expect(problemsOf({ thing: 'door', finish: 'x'.repeat(10_000) })[0]?.length).toBeLessThan(150);
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
  expect(problemsOf({ thing: 'door', ...many }).at(-1)).toBe('and 990 more');
});

test('the schema for the model is plain data, made once, without what only zod needs [T1]', () => {
  expect(paint.inputSchema).toEqual({
    type: 'object',
    properties: {
      thing: { type: 'string' },
      coats: { type: 'integer', minimum: 1 },
      colours: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      finish: { type: 'string', enum: ['matt', 'gloss'] },
      options: { type: 'object', properties: { dry: { type: 'boolean' } }, additionalProperties: false },
    },
    required: ['thing'],
    additionalProperties: false,
  });
  expect(JSON.parse(JSON.stringify(paint.inputSchema))).toEqual(paint.inputSchema);
  expect(paint.inputSchema).toBe(paint.inputSchema);
});

test('plan and run get typed arguments, and refuse unchecked ones as data [T1]', async () => {
  const { draft, result } = await carryOut(paint, { object: 'door', coats: 3 }, { workspace: '/' });
  expect(draft.title).toBe('Paint door');
  expect(result.llmContent).toBe('door 6');
  const unchecked = async () => paint.plan({ thing: 1 }, planContext({ workspace: '/' }));
  expect(await failureOf(unchecked())).toEqual({
    code: 'invalid_tool_params',
    name: 'paint',
    problems: ['"thing" must be a string, not 1'],
  });
});

test('other argument names are left alone when the arguments are no object', () => {
  expect(paint.renameArgs?.(asSent('null'))).toBe(null);
  expect(paint.renameArgs?.(asSent('[1]'))).toEqual([1]);
});
