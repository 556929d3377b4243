import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { FakeModel, says, text } from './headless-model.js';
import { test } from './program.js';

test('piped input alone is a prompt, and control characters of the answer are made visible [C1] [A7]', async ({
  place,
}) => {
  const model = await FakeModel.start(says(text('a\u001b]0;title\u0007\u001b[31mred\n')));
  const ran = await place.run([], { stdin: 'hello\n', env: model.env });
  expect(ran.code).toBe(0);
  expect(model.server.received).toHaveLength(1);
  expect(JSON.stringify(model.lastParts(0))).toContain('hello');
  expect(ran.stdout).toMatch(/^a.*title.*red\n$/);
  expect(ran.stdout).not.toMatch(/[^\P{Cc}\t\n\r]/u);
});

test('help lists no page as a command that is none [C1]', async ({ place }) => {
  const { stdout } = await place.run(['help']);
  expect(stdout).toMatch(/^ {2}-p TEXT {4}/m);
  expect(stdout).not.toMatch(/^ {2}(?:prompt|terminal) /m);
});

test('past calls are evaluated in another mode [P1]', async ({ place }) => {
  await place.run(['exec', JSON.stringify({ name: 'write_file', args: { file_path: 'a', content: '' } })]);
  const { stdout, code } = await place.run(['policy', 'replay', '--mode', 'yolo', '--json']);
  expect(code).toBe(0);
  expect(stdout).toContain('"decision":"allow"');
});

test('a store in a directory that the user may not enter is an error, not an empty list [C1]', async ({
  place,
  skip,
}) => {
  const uid = 65534;
  skip(process.getuid?.() !== 0, 'only root can start the program as another user');
  const closed = join(place.directory, 'closed');
  mkdirSync(closed);
  chmodSync(place.directory, 0o755);
  chmodSync(closed, 0o700);
  const store = join(closed, 'store');
  for (const command of [
    ['approvals', 'list'],
    ['sessions', 'list', '--all'],
    ['grants', 'list'],
  ]) {
    const ran = await place.run([...command, '--store', store], { uid });
    expect(ran).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('EACCES') });
  }
});
