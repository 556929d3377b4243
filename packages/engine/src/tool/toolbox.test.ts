import type { JsonObject } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { nearest } from './nearest.js';
import type { Tool } from './tool.js';
import { Toolbox } from './toolbox.js';

const tool = (name: string, parts: Partial<Tool> = {}): Tool => ({
  name,
  displayName: name,
  description: `Does ${name}.`,
  kind: 'read',
  inputSchema: { type: 'object' },
  canUpdateOutput: false,
  check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'safe' }),
  run: () => ({ llmContent: name, returnDisplay: name }),
  ...parts,
});
const renamed = (args: JsonObject): JsonObject => {
  const { path, ...rest } = args;
  return path === undefined ? rest : { file_path: path, ...rest };
};

test('a tool is found by its name, by an alias, and by nothing else; only its own name is canonical [T2]', () => {
  const box = new Toolbox([tool('read_file', { aliases: [{ name: 'cat' }], renameArgs: renamed })]);
  expect(box.resolve('read_file', { path: 'a' })).toMatchObject({ args: { file_path: 'a' }, calledAs: null });
  expect(box.resolve('cat', { path: 'a' })).toMatchObject({
    tool: { name: 'read_file' },
    args: { file_path: 'a' },
    calledAs: 'cat',
  });
  expect(box.resolve('Read_File', {})).toBeUndefined();
  expect(box.resolve('constructor', {})).toBeUndefined();
});

test('an alias that several tools share goes to the one whose arguments fit [T2]', () => {
  const has = (key: string) => (args: JsonObject) => key in args;
  const box = new Toolbox([
    tool('write_file', { aliases: [{ name: 'edit', when: has('new_content') }] }),
    tool('replace', { aliases: [{ name: 'edit', when: has('old_string') }] }),
  ]);
  expect(box.resolve('edit', { new_content: '' })?.tool.name).toBe('write_file');
  expect(box.resolve('edit', { old_string: '' })?.tool.name).toBe('replace');
  expect(box.resolve('edit', {})).toBeUndefined();
});

test('registering again replaces, unregistering takes the aliases along, declarations follow [T1, T2]', () => {
  const box = new Toolbox([tool('a', { aliases: [{ name: 'x' }] }), tool('b')]);
  box.register(tool('a', { description: 'New.' }));
  expect(box.resolve('x', {})).toBeUndefined();
  expect(box.declarations()).toEqual([
    { name: 'b', description: 'Does b.', parametersJsonSchema: { type: 'object' } },
    { name: 'a', description: 'New.', parametersJsonSchema: { type: 'object' } },
  ]);
  expect([box.unregister('b'), box.unregister('b')]).toEqual([true, false]);
  expect(box.all().map(({ name }) => name)).toEqual(['a']);
});

test('the hash of a definition changes with everything that is shown to a model or a person', () => {
  const box = new Toolbox();
  const hash = (parts: Partial<Tool>) => box.definitionHash(tool('t', parts));
  expect(hash({})).toBe(hash({}));
  expect(hash({ description: 'Other.' })).not.toBe(hash({}));
  expect(hash({ inputSchema: { type: 'object', required: ['a'] } })).not.toBe(hash({}));
  expect(hash({ kind: 'edit' })).not.toBe(hash({}));
});

test('a misspelt name is answered with the nearest known ones [L3]', () => {
  const known = ['read_file', 'write_file', 'list_directory', 'glob'];
  expect(nearest('raed_file', known)).toEqual(['read_file']);
  expect(nearest('directory', known)).toEqual(['list_directory']);
  expect(nearest('completely_else', known)).toEqual([]);
});
