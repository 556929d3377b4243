import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, ends, FakeModel, prompt, says, streaming, text } from './headless-model.js';
import { test } from './program.js';

const NOWHERE = { OLLAMA_HOST: 'http://127.0.0.1:9' };

test('what is piped comes before what is typed, and either is enough [C1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('ok')));
  await model.run(place, prompt('review this'), { stdin: 'a diff\n' });
  await model.run(place, ['-o', 'text'], { stdin: 'only piped\n' });
  await model.run(place, prompt('only typed'));
  expect([0, 1, 2].map((request) => model.lastParts(request))).toEqual([
    [{ text: 'a diff\n\nreview this' }],
    [{ text: 'only piped' }],
    [{ text: 'only typed' }],
  ]);
});

test('a large text comes through a pipe whole; too large a one is refused [C1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('ok')));
  const large = `${'lörem '.repeat(200_000)}end`;
  expect((await model.run(place, prompt('sum up'), { stdin: large })).code).toBe(0);
  expect(model.lastParts(0)).toEqual([{ text: `${large}\n\nsum up` }]);
  const refused = await model.run(place, prompt('sum up'), { stdin: 'x'.repeat(8_000_001) });
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('8,000,000 characters');
  expect(model.server.received).toHaveLength(1);
});

test('input that stays open without data is not awaited, which is reported [C1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('ok')));
  const running = model.start(place, prompt('go'));
  const { code, stdout, stderr } = await running.ended();
  expect([code, stdout]).toEqual([0, 'ok\n']);
  expect(stderr).toContain('No standard input arrived within 3 s');
});

test('what is not understood ends with 2 and with what to do, and nothing is begun [C1]', async ({
  place,
}) => {
  const wrong: readonly (readonly [string[], string])[] = [
    [['-p', 'x', '--no-such'], 'countersign help prompt'],
    [['-p'], 'countersign help prompt'],
    [['-p', 'x', '-o', 'xml'], '--output-format text | json | stream-json'],
    [['-p', 'x', '--approvals', 'stdio'], '--output-format stream-json'],
    [['-p', 'x', '--approvals', 'terminal'], '--approvals stdio | wait | deny'],
    [['-p', 'x', '--max-turns', '1.5'], '--max-turns with a whole number above 0'],
    [['-p', 'x', '--max-cost', 'Infinity'], '--max-cost with a number above 0'],
    [['-p', 'x', '--max-cost', '-1'], '--max-cost=VALUE'],
    [['-p', 'x', '--max-cost=-1'], '--max-cost with a number above 0'],
    [['-p', 'x', '--mode', '--yolo'], 'the value after --mode begins with "-"'],
    [['-p', 'x', '--yolo', '--mode', 'plan'], '--yolo or --mode'],
    [['-p', 'x', '-c', '--resume', 's'], 'one of them'],
    [['-p', 'x', '-c'], 'without -c'],
    [['-p', '  '], 'countersign -p'],
  ];
  const ran = await Promise.all(wrong.map(([args]) => place.run(args, { env: { GEMINI_API_KEY: 'k' } })));
  for (const [index, [args, hint]] of wrong.entries()) {
    const { code, stdout, stderr } = ran[index] ?? {};
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(hint);
  }
  expect((await place.run(['-p', 'x', '--resume', 'none'], { env: NOWHERE })).code).toBe(1);
});

test('without a model the program reports it in one line, and creates no session [G4]', async ({ place }) => {
  const { code, stdout, stderr } = await place.run(prompt('go'), { env: NOWHERE });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(/^countersign: No model is configured\. Set GEMINI_API_KEY .*\.\n$/);
  expect((await place.run(prompt('go', '-c'), { env: NOWHERE })).code).toBe(2);
  const missing = await place.run(prompt('go', '--fake-responses', 'none.jsonl'));
  expect([missing.code, missing.stderr.split('\n').length]).toEqual([4, 2]);
});

test('files named with @ are read first, as calls that are written down [C1] [G2]', async ({ place }) => {
  place.write('src/a.ts', 'const a = 1;\n');
  place.write('notes.md', '# Notes\n');
  place.write('.gitignore', '*.log\n');
  place.write('big.log', 'secret\n');
  mkdirSync(join(place.workspace, '.git'));
  writeFileSync(join(place.directory, 'outside.txt'), 'far away\n');
  const model = await FakeModel.start(says(text('ok')));
  const words = 'Compare @src and @notes.md, not @big.log, @../outside.txt or @nobody (me@example.org).';
  const ran = await model.run(place, streaming(words));
  expect(ran.code).toBe(0);
  const [said, ...read] = model.lastParts(0).map((part) => String(part['text']));
  expect(said).toBe(words);
  expect(read.join('\n')).toContain('--- src/a.ts ---\nconst a = 1;');
  expect(read.join('\n')).toContain('--- notes.md ---\n# Notes');
  expect(read.join('\n')).not.toMatch(/secret|far away/);
  const warned = ran.lines.flatMap(({ severity, message }) => (severity === 'warning' ? [message] : []));
  expect(warned).toEqual([
    '@../outside.txt is outside the workspace and was not read.',
    '@big.log was not read: ignore files exclude it, or it is empty.',
  ]);
  expect(ran.lines.filter(({ type }) => type === 'tool_use')).toMatchObject([
    { tool_name: 'read_many_files', parameters: { include: ['src'] } },
    { parameters: { include: ['notes.md'] } },
    { parameters: { include: ['big.log'] } },
  ]);
});

test('@ in what is piped names nothing: it is material, not a request [C1]', async ({ place }) => {
  place.write('a.txt', 'content\n');
  const model = await FakeModel.start(says(text('ok')));
  await model.run(place, prompt('review'), { stdin: 'see @a.txt' });
  expect(model.lastParts(0)).toEqual([{ text: 'see @a.txt\n\nreview' }]);
});

test('a call that Gemini itself could not read is reported to the model, which tries again [G1]', async ({
  place,
}) => {
  place.write('a.txt', 'hello\n');
  const malformed = ends('MALFORMED_FUNCTION_CALL');
  const model = await FakeModel.start(
    malformed,
    says(call('read_file', { file_path: 'a.txt' })),
    says(text('Read.')),
  );
  expect(await model.run(place, prompt('go'))).toMatchObject({ code: 0, stdout: 'Read.\n' });
  expect(model.lastParts(1)).toEqual([
    { text: 'go' },
    { text: expect.stringContaining('MALFORMED_FUNCTION_CALL') },
  ]);
  const hopeless = await FakeModel.start(malformed);
  const ran = await hopeless.run(place, prompt('go'));
  expect([ran.code, hopeless.server.received.length]).toEqual([1, 3]);
});
