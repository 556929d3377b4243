import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure, SettledCall } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { Kind } from '../types/enums.js';
import { defineTool } from './define-tool.js';
import { read, write } from './resources.js';
import { sessionWith, type TestSession, temporaryWorkspace } from './testing/session.js';

let place: ReturnType<typeof temporaryWorkspace>;
let opened: TestSession | null = null;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(async () => {
  await opened?.session.dispose();
  opened = null;
  place.remove();
});

const wordCount = defineTool({
  name: 'word_count',
  displayName: 'Word count',
  description: 'Count words in a file.',
  kind: Kind.Read,
  input: z.object({ file_path: z.string(), peek: z.string().optional() }),
  canUpdateOutput: true,
  plan: async ({ file_path }, { resolve }) => ({
    title: `Count ${file_path}`,
    resources: [read(resolve(file_path))],
    repeat: 'safe',
  }),
  run: async ({ file_path, peek }, { readText, updateOutput, signal }) => {
    updateOutput(`reading ${file_path}${signal.aborted ? ' no more' : ''}`);
    const words = (await readText(peek ?? file_path)).split(/\s+/).filter(Boolean).length;
    return {
      llmContent: `${words} words`,
      returnDisplay: words,
      ...(words === 0 && { error: { message: 'It is empty.' } }),
    };
  },
});

async function call(args: Parameters<TestSession['call']>[0]): Promise<SettledCall> {
  opened = await sessionWith([wordCount], { targetDir: place.workspace });
  const settled = await opened.call(args);
  await opened.session.dispose();
  return settled;
}
const failureOf = (settled: SettledCall): Failure | null =>
  settled.status === 'error' ? settled.failure : null;

test('a defined tool is planned, judged and run with typed arguments [E2]', async () => {
  writeFileSync(join(place.workspace, 'a.txt'), 'one two three');
  expect(await call({ file_path: 'a.txt' })).toMatchObject({
    status: 'success',
    plan: {
      title: 'Count a.txt',
      resources: [{ kind: 'fs.read', path: join(place.workspace, 'a.txt'), place: 'workspace' }],
    },
    result: { llmContent: '3 words', returnDisplay: 3 },
  });
});

test('its arguments are checked by its schema, unknown ones refused [L3]', async () => {
  expect(failureOf(await call({}))).toMatchObject({ problems: ['"file_path" is required (string)'] });
  expect(failureOf(await call({ file_path: 'a', mode: 'fast' }))).toMatchObject({
    problems: ['"mode" is not an argument of word_count (known: file_path, peek)'],
  });
});

test('a path that can name no file is a failure of the plan, as data', async () => {
  expect(failureOf(await call({ file_path: 'a\0b' }))).toMatchObject({ code: 'invalid_path' });
});

test('a run reads what its plan named and nothing else [P5]', async () => {
  writeFileSync(join(place.workspace, 'a.txt'), 'one');
  writeFileSync(join(place.workspace, 'b.txt'), 'two');
  expect(failureOf(await call({ file_path: 'a.txt', peek: 'b.txt' }))).toEqual({
    code: 'execution_failed',
    message: 'b.txt is not among the files that this call was planned to touch.',
  });
  symlinkSync('b.txt', join(place.workspace, 'link.txt'));
  expect((await call({ file_path: 'link.txt', peek: 'b.txt' })).status).toBe('success');
});

test('a file that is missing or not text is a failure with that reason', async () => {
  writeFileSync(join(place.workspace, 'notes.txt'), 'x');
  writeFileSync(join(place.workspace, 'bytes'), Buffer.from([0, 1, 2, 3]));
  expect(failureOf(await call({ file_path: 'notes.text' }))).toEqual({
    code: 'file_not_found',
    path: 'notes.text',
    nearest: ['notes.txt'],
  });
  expect(failureOf(await call({ file_path: 'bytes' }))).toMatchObject({ code: 'binary_file' });
  mkdirSync(join(place.workspace, 'dir'));
  expect(failureOf(await call({ file_path: 'dir' }))).toMatchObject({ code: 'target_is_directory' });
});

test('a failure that the tool returns fails the call [E2]', async () => {
  writeFileSync(join(place.workspace, 'empty.txt'), '');
  expect(await call({ file_path: 'empty.txt' })).toMatchObject({
    failure: { code: 'execution_failed', message: 'It is empty.' },
    partial: { output: '0 words' },
  });
});

test('read and write make resources', () => {
  expect(read('/a')).toEqual({ kind: 'fs.read', path: '/a', scope: 'file' });
  expect(write('/a', 'tree')).toEqual({ kind: 'fs.write', path: '/a', scope: 'tree' });
});
