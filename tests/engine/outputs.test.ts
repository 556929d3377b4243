import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ModelContent } from '@countersign/protocol';
import { openTestSession, run, testTool } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

let outputs: string;
beforeEach(() => {
  outputs = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-outputs-')));
});
afterEach(() => rmSync(outputs, { recursive: true, force: true }));

const CHARS_MAX = 1_000;
const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`).join('\n');

async function resultOf(llmContent: ModelContent, returnDisplay = ''): Promise<ModelContent> {
  const speak = testTool({ name: 'speak', run: () => ({ llmContent, returnDisplay }) });
  const { session } = await openTestSession([speak], { outputs, limits: { outputCharsMax: CHARS_MAX } });
  const [call] = await run(session, [{ name: 'speak' }]);
  await session.dispose();
  if (call?.status !== 'success') throw new Error(`it ended as ${call?.status}`);
  return call.result.llmContent;
}

const keptIn = (text: unknown): string => /The full text is in (\S+):/.exec(String(text))?.[1] ?? '';

test('text too large for a model is cut to head and tail, and says where the whole is kept [T5]', async () => {
  const cut = await resultOf(lines);
  expect(String(cut).length).toBeLessThan(CHARS_MAX * 1.4);
  expect(cut).toMatch(/^line 1\nline 2\n/);
  expect(cut).toMatch(/line 499\nline 500$/);
  const path = keptIn(cut);
  expect(path.startsWith(`${outputs}/test/`)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(lines);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('the note names the line to read on from [T5]', async () => {
  const cut = String(await resultOf(lines));
  const [head = ''] = cut.split('\n[… ');
  const next = Number(/start_line (\d+)/.exec(cut)?.[1]);
  expect(lines.split('\n')[next - 1]).toBe(`line ${head.split('\n').length}`);
});

test('a single endless line is cut inside it, but not inside a character [T5]', async () => {
  const cut = String(await resultOf('𝄞'.repeat(2_000)));
  expect(cut).not.toMatch(/[\ud800-\udfff]/u);
  expect(cut.length).toBeLessThan(CHARS_MAX * 1.4);
});

test('of several parts the text is cut, and pictures stay [T5]', async () => {
  const picture = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(5_000) } };
  const cut = await resultOf([{ text: lines }, picture, 'and more']);
  expect(cut).toHaveLength(2);
  expect(Array.isArray(cut) && cut[1]).toEqual(picture);
  expect(readFileSync(keptIn(Array.isArray(cut) ? cut[0] : ''), 'utf8')).toBe(`${lines}\nand more`);
});

test('what fits is left alone, and nothing is kept [T5]', async () => {
  expect(await resultOf('short')).toBe('short');
  expect(existsSync(join(outputs, 'test'))).toBe(false);
});

test('if the whole cannot be kept, the cut says so instead of naming a file [T5]', async () => {
  writeFileSync(join(outputs, 'test'), 'in the way');
  expect(await resultOf(lines)).toMatch(/They could not be stored: /);
});

test('the words of a failure and what it left are cut too [T5]', async () => {
  const fail = testTool({
    name: 'fail',
    run: () => {
      throw new Error(lines);
    },
  });
  const { session } = await openTestSession([fail], { outputs, limits: { outputCharsMax: CHARS_MAX } });
  const [call] = await run(session, [{ name: 'fail' }]);
  await session.dispose();
  const failure = call?.status === 'error' ? call.failure : null;
  const message = failure?.code === 'unhandled_exception' ? failure.message : '';
  expect(message.length).toBeLessThan(CHARS_MAX * 1.4);
  expect(readFileSync(keptIn(message), 'utf8')).toBe(lines);
});

test('what a session kept can be read by it without a question, and not by another, nor written [T5, P5]', async () => {
  const places: string[] = [];
  const touch = testTool({
    name: 'touch',
    plan: ({ path, kind }) => ({
      resources: [
        { kind: kind === 'write' ? 'fs.write' : 'fs.read', path: join(outputs, String(path)), scope: 'file' },
      ],
    }),
  });
  const { session, journal } = await openTestSession([touch], { outputs });
  const calls = [
    { path: 'test/1-0/result.txt' },
    { path: 'other/1-0/result.txt' },
    { path: 'test/1-0/result.txt', kind: 'write' },
  ];
  await run(
    session,
    calls.map((args) => ({ name: 'touch', args })),
    { attended: 'nobody' },
  );
  for (const { event } of await journal.read('test', 0)) {
    if (event.type !== 'call.planned') continue;
    for (const resource of event.plan.resources) if ('place' in resource) places.push(resource.place);
  }
  await session.dispose();
  expect(places).toEqual(['workspace', 'outside', 'outside']);
});

test('without a place to keep things, what a call leaves is gone when the session is left [S6]', async () => {
  let directory = '';
  const leave = testTool({
    name: 'leave',
    run: (_, context) => {
      ({ directory } = context);
      return { llmContent: lines, returnDisplay: '' };
    },
  });
  const { session } = await openTestSession([leave], { limits: { outputCharsMax: CHARS_MAX } });
  await run(session, [{ name: 'leave' }]);
  expect(existsSync(join(directory, 'result.txt'))).toBe(true);
  await session.dispose();
  expect(existsSync(join(directory, '../..'))).toBe(false);
});

test('an id that is no file name leads nowhere else [P5]', async () => {
  const directories: string[] = [];
  const note = testTool({
    name: 'note',
    run: (_, { sessionDirectory }) => {
      directories.push(sessionDirectory);
      return { llmContent: '', returnDisplay: '' };
    },
  });
  for (const sessionId of ['../../etc', '..', 'a/b', 'x'.repeat(300), 'plain-1']) {
    const { session } = await openTestSession([note], { outputs, sessionId });
    await run(session, [{ name: 'note' }]);
    await session.dispose();
  }
  for (const directory of directories) expect(dirname(directory)).toBe(outputs);
  expect(new Set(directories).size).toBe(5);
  expect(directories.at(-1)).toBe(join(outputs, 'plain-1'));
});

test('tools learn when the session is left, and one that fails holds no one up [S6]', async () => {
  const left: string[] = [];
  const bad = testTool({ name: 'bad', leave: () => Promise.reject(new Error('no')) });
  const good = testTool({
    name: 'good',
    leave: async ({ sessionId, sessionDirectory }) => void left.push(sessionId, sessionDirectory),
  });
  const { session, troubles } = await openTestSession([bad, good], { outputs });
  await session.dispose();
  expect(left).toEqual(['test', join(outputs, 'test')]);
  expect(troubles).toMatchObject([{ message: 'no' }]);
});
