import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { contentHash } from '@countersign/host';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut, planContext, planOf, runContext } from '../testing/carry-out.js';
import { writeFile } from './write-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject, meanwhile: () => void = () => {}) =>
  carryOut(writeFile, args, { workspace: place.workspace, meanwhile });
const bytesOf = (path: string) => readFileSync(`${place.workspace}/${path}`);
const textOf = (path: string) => bytesOf(path).toString();
const hashOf = (text: string) => contentHash(Buffer.from(text));

describe('the plan', () => {
  test('of a change shows the difference and is bound to both contents [A1] [A3]', async () => {
    const path = place.put('src/a.ts', 'one\ntwo\n');
    const { draft } = await carry({ file_path: 'src/a.ts', content: 'one\n2\n3\n' });
    expect(draft).toEqual({
      title: 'Write src/a.ts',
      resources: [{ kind: 'fs.write', path, scope: 'file' }],
      repeat: 'unsafe',
      locations: [{ path }],
      basis: [{ path, before: hashOf('one\ntwo\n'), after: hashOf('one\n2\n3\n') }],
      leaves: expect.any(Function),
      confirmation: {
        type: 'edit',
        title: 'Write src/a.ts (+2 −1)',
        fileName: 'a.ts',
        filePath: path,
        fileDiff: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n',
        originalContent: 'one\ntwo\n',
        newContent: 'one\n2\n3\n',
        diffStat: { added: 2, removed: 1 },
      },
    });
  });

  test('of a new file states that it is new and changes nothing yet [A1]', async () => {
    const path = `${place.workspace}/new/a.ts`;
    const signal = new AbortController().signal;
    const context = planContext({ workspace: place.workspace, signal });
    const draft = await writeFile.plan({ file_path: 'new/a.ts', content: 'x' }, context);
    expect(draft).toMatchObject({
      title: 'Write new/a.ts (new file)',
      basis: [{ path, before: null, after: hashOf('x') }],
      confirmation: { originalContent: null, newContent: 'x', title: 'Write new/a.ts (new file)' },
    });
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  test('notes if the file was not read before [A1]', async () => {
    const noted = async (file_path: string, wasRead: (path: string) => boolean) => {
      const context = planContext({ workspace: place.workspace, wasRead });
      const { confirmation } = await writeFile.plan({ file_path, content: 'y' }, context);
      return confirmation?.type === 'edit' ? confirmation.notes : null;
    };
    const path = place.put('a', 'x');
    expect(await noted('a', () => false)).toEqual(['This session has not read this file.']);
    expect(await noted('a', (asked) => asked === path)).toBe(undefined);
    expect(await noted('new', () => false)).toBe(undefined);
  });

  test('starts from the content that earlier calls plan, and reports its own [S2]', async () => {
    const path = place.put('a', 'x\n');
    const left = Buffer.from('\ufeffy\r\n');
    const earlier = async (asked: string) => (asked === path ? left : null);
    const context = planContext({ workspace: place.workspace, earlier });
    const draft = await writeFile.plan({ file_path: 'a', content: 'z\n' }, context);
    expect(draft.basis).toEqual([{ path, before: contentHash(left), after: hashOf('\ufeffz\r\n') }]);
    expect(draft.leaves?.(path)).toEqual(Buffer.from('\ufeffz\r\n'));
    expect(draft.leaves?.(`${path}b`)).toBe(null);
    expect(draft.confirmation).toMatchObject({ originalContent: 'y\r\n', newContent: 'z\r\n' });
  });

  test('is written as shown, whatever is done to the bytes that it returned [A3]', async () => {
    const path = place.put('a', 'x\n');
    const context = { workspace: place.workspace };
    const args = { file_path: 'a', content: 'y\n' };
    const draft = await writeFile.plan(args, planContext(context));
    draft.leaves?.(path)?.fill(0);
    await writeFile.run(args, runContext(planOf(writeFile, draft, place.workspace), context));
    expect(textOf('a')).toBe('y\n');
  });

  test('computes the difference on first use, and once', async () => {
    place.put('a', 'x\n');
    const { draft } = await carry({ file_path: 'a', content: 'y\n' });
    expect(Object.keys(Object.getOwnPropertyDescriptor(draft, 'confirmation') ?? {})).toContain('get');
    expect(draft.confirmation).toEqual(draft.confirmation);
  });

  test('goes to the file behind a symlink [P5]', async () => {
    writeFileSync(`${place.outside}/a`, 'CANARY');
    symlinkSync(`${place.outside}/a`, `${place.workspace}/link`);
    const signal = new AbortController().signal;
    const context = planContext({ workspace: place.workspace, signal });
    const draft = await writeFile.plan({ file_path: 'link', content: 'x' }, context);
    expect(draft.resources).toEqual([{ kind: 'fs.write', path: `${place.outside}/a`, scope: 'file' }]);
  });
});

describe('a write', () => {
  test('creates a file with its directories, as the umask has it [T4]', async () => {
    const before = process.umask(0o027);
    try {
      const { result } = await carry({ file_path: 'new/deep/a.txt', content: 'one\ntwo\n' });
      expect(result).toEqual({
        llmContent: 'Created new/deep/a.txt with 2 lines.',
        returnDisplay: {
          fileName: 'a.txt',
          filePath: `${place.workspace}/new/deep/a.txt`,
          fileDiff: '--- /dev/null\n+++ b/new/deep/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
          diffStat: { added: 2, removed: 0 },
        },
      });
    } finally {
      process.umask(before);
    }
    expect(textOf('new/deep/a.txt')).toBe('one\ntwo\n');
    expect(statSync(`${place.workspace}/new/deep/a.txt`).mode & 0o7777).toBe(0o640);
    expect(readdirSync(`${place.workspace}/new/deep`)).toEqual(['a.txt']);
  });

  test('keeps the mode of the file it replaces [T4]', async () => {
    chmodSync(place.put('run.sh', 'old'), 0o754);
    const { result } = await carry({ file_path: 'run.sh', content: 'new\n' });
    expect(result.llmContent).toBe('Wrote run.sh: now 1 line (+1 −1).');
    expect(statSync(`${place.workspace}/run.sh`).mode & 0o7777).toBe(0o754);
    expect(readdirSync(place.workspace)).toEqual(['run.sh']);
  });

  test.each<[string, Buffer, string, Buffer]>([
    ['CRLF', Buffer.from('a\r\nb\r\n'), 'x\ny\n', Buffer.from('x\r\ny\r\n')],
    ['CRLF that the content has itself', Buffer.from('a\r\nb\r\n'), 'x\r\ny\n', Buffer.from('x\r\ny\n')],
    ['LF, where the content brings CRLF', Buffer.from('a\n'), 'x\r\n', Buffer.from('x\r\n')],
    ['the byte order mark', Buffer.from('\ufeffa\n'), 'é\n', Buffer.from('\ufeffé\n')],
    ['one mark, not two', Buffer.from('\ufeffa\n'), '\ufeffx\n', Buffer.from('\ufeffx\n')],
    ['UTF-16', Buffer.from('\ufeffa\r\n', 'utf16le'), '😀\n', Buffer.from('\ufeff😀\r\n', 'utf16le')],
    ['Windows-1252', Buffer.from([0xe9, 0x0a]), 'é€', Buffer.from([0xe9, 0x80])],
    ['no final newline, as the content says', Buffer.from('a\n'), 'b', Buffer.from('b')],
  ])('keeps %s [T4]', async (_, before, content, after) => {
    place.put('a', before);
    const { draft } = await carry({ file_path: 'a', content });
    expect(bytesOf('a')).toEqual(after);
    expect(draft.basis).toMatchObject([{ after: contentHash(after) }]);
  });

  test('reports to the model what it kept', async () => {
    place.put('a', '\ufeffa\r\n');
    const { result } = await carry({ file_path: 'a', content: 'b\n' });
    expect(result.llmContent).toBe('Wrote a: now 1 line (+1 −1). Kept from the file: UTF-8 with BOM, CRLF.');
  });

  test('shows and writes the same bytes, line endings included [A3] [A7]', async () => {
    place.put('a', 'a\r\n');
    const { draft } = await carry({ file_path: 'a', content: 'x\ny\n' });
    expect(draft.confirmation).toMatchObject({ newContent: 'x\r\ny\r\n' });
    expect(textOf('a')).toBe('x\r\ny\r\n');
  });

  test('leaves other hard links as they are [T4]', async () => {
    writeFileSync(`${place.outside}/h`, 'CANARY');
    linkSync(`${place.outside}/h`, `${place.workspace}/h`);
    await carry({ file_path: 'h', content: 'new' });
    expect(textOf('h')).toBe('new');
    expect(readFileSync(`${place.outside}/h`, 'utf8')).toBe('CANARY');
  });

  test('goes through a symlink to its target and leaves the link [T4]', async () => {
    place.put('real', 'old');
    symlinkSync('real', `${place.workspace}/link`);
    await carry({ file_path: 'link', content: 'new' });
    expect(textOf('real')).toBe('new');
    expect(execFileSync('readlink', [`${place.workspace}/link`], { encoding: 'utf8' })).toBe('real\n');
  });

  test('of what is there already touches nothing', async () => {
    place.put('a', 'same\r\n');
    const { ino } = statSync(`${place.workspace}/a`);
    const { result } = await carry({ file_path: 'a', content: 'same\n' });
    expect(result.llmContent).toBe('a already has exactly this content. Nothing was written.');
    expect(statSync(`${place.workspace}/a`).ino).toBe(ino);
  });
});

describe('a write is refused and the old file is whole', () => {
  const stale = { code: 'stale_file', path: 'a' };

  test('if the file changed since the plan [A3] [T4]', async () => {
    const path = place.put('a', 'old');
    const changed = carry({ file_path: 'a', content: 'new' }, () => writeFileSync(path, 'theirs'));
    expect(await failureOf(changed)).toEqual(stale);
    expect(textOf('a')).toBe('theirs');
  });

  test('if it appeared, vanished, or lost its directory since the plan [A3]', async () => {
    const args = { file_path: 'a', content: 'new' };
    expect(await failureOf(carry(args, () => place.put('a', 'theirs')))).toEqual(stale);
    expect(textOf('a')).toBe('theirs');
    expect(await failureOf(carry(args, () => rmSync(`${place.workspace}/a`)))).toEqual(stale);
    expect(readdirSync(place.workspace)).toEqual([]);
    place.put('d/b', 'old');
    const gone = carry({ file_path: 'd/b', content: 'new' }, () =>
      rmSync(`${place.workspace}/d`, { recursive: true }),
    );
    expect(await failureOf(gone)).toEqual({ code: 'stale_file', path: 'd/b' });
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  test('if what would be written is not what was approved [A3]', async () => {
    place.put('a', 'old');
    const { plan } = await carry({ file_path: 'a', content: 'old' });
    const context = runContext(plan, { workspace: place.workspace });
    const other = async () => writeFile.run({ file_path: 'a', content: 'something else' }, context);
    expect(await failureOf(other())).toEqual(stale);
    expect(textOf('a')).toBe('old');
  });

  test('if a symlink took the place of the file or of its directory [P5]', async () => {
    writeFileSync(`${place.outside}/a`, 'CANARY');
    const path = place.put('d/a', 'old');
    const args = { file_path: 'd/a', content: 'new' };
    const swapped = (from: string, to: string) => () => {
      rmSync(from, { recursive: true });
      symlinkSync(to, from);
    };
    expect((await failureOf(carry(args, swapped(path, `${place.outside}/a`)))).code).toBe('stale_file');
    rmSync(path);
    place.put('d/a', 'old');
    expect((await failureOf(carry(args, swapped(`${place.workspace}/d`, place.outside)))).code).toBe(
      'stale_file',
    );
    expect(readFileSync(`${place.outside}/a`, 'utf8')).toBe('CANARY');
    expect(readdirSync(place.outside)).toEqual(['a']);
  });

  test('if a character does not exist in its encoding [T4]', async () => {
    place.put('a', Buffer.from([0xe9, 0x0a]));
    expect(await failureOf(carry({ file_path: 'a', content: '→' }))).toEqual({
      code: 'unencodable_content',
      path: 'a',
      encoding: 'Windows-1252',
      character: '"→" (U+2192)',
    });
    expect(bytesOf('a')).toEqual(Buffer.from([0xe9, 0x0a]));
  });

  test('if a line of the content stands for lines omitted, unless it was there before [T3]', async () => {
    const args = { file_path: 'a', content: 'one\n# rest of file remains the same\n' };
    place.put('a', 'one\ntwo\n');
    expect(await failureOf(carry(args))).toEqual({
      code: 'edit_omission_placeholder',
      path: 'a',
      line: 2,
      text: '# rest of file remains the same',
    });
    expect(textOf('a')).toBe('one\ntwo\n');
    expect((await failureOf(carry({ ...args, file_path: 'new' }))).code).toBe('edit_omission_placeholder');
    expect(readdirSync(place.workspace)).toEqual(['a']);
    place.put('a', '  # rest of file remains the same\n');
    await carry(args);
    expect(textOf('a')).toBe(args.content);
  });

  test('if the target is no text file [T3]', async () => {
    place.put('a.png', Buffer.from([0x89, 0x50, 0, 0]));
    mkdirSync(`${place.workspace}/dir`);
    execFileSync('mkfifo', [`${place.workspace}/pipe`]);
    const refused = async (file_path: string) => (await failureOf(carry({ file_path, content: 'x' }))).code;
    expect(await refused('a.png')).toBe('binary_file');
    expect(await refused('dir')).toBe('target_is_directory');
    expect(await refused('.')).toBe('target_is_directory');
    expect(await refused('/')).toBe('target_is_directory');
    expect(await refused('pipe')).toBe('target_is_special');
    expect(await refused('new/')).toBe('invalid_path');
    expect(readdirSync(place.workspace).sort()).toEqual(['a.png', 'dir', 'pipe']);
  });

  test('if the file is read-only, though its directory is not [T4]', async () => {
    chmodSync(place.workspace, 0o777);
    chmodSync(place.put('a', 'old'), 0o444);
    const refused = await asNobody(() => failureOf(carry({ file_path: 'a', content: 'new' })));
    expect(refused).toEqual({ code: 'permission_denied', path: 'a' });
    expect(textOf('a')).toBe('old');
    expect(readdirSync(place.workspace)).toEqual(['a']);
  });

  test('if the directory is not writable [T4]', async () => {
    mkdirSync(`${place.workspace}/d`, { mode: 0o555 });
    const refused = await asNobody(() => failureOf(carry({ file_path: 'd/a', content: 'new' })));
    expect(refused).toEqual({ code: 'permission_denied', path: 'd/a' });
    expect(readdirSync(`${place.workspace}/d`)).toEqual([]);
  });

  test('if it was cancelled before the file was replaced [L5]', async () => {
    place.put('a', 'old');
    const controller = new AbortController();
    const cancelled = carryOut(
      writeFile,
      { file_path: 'a', content: 'new' },
      { workspace: place.workspace, signal: controller.signal, meanwhile: () => controller.abort() },
    );
    await expect(cancelled).rejects.toThrow('abort');
    expect(textOf('a')).toBe('old');
    expect(readdirSync(place.workspace)).toEqual(['a']);
  });
});

describe('other spellings', () => {
  test('edit with nothing but new content means write_file [T3]', () => {
    const [edit] = writeFile.aliases ?? [];
    expect(edit?.name).toBe('edit');
    expect(edit?.when?.({ path: 'a', new_content: 'x' })).toBe(true);
    expect(edit?.when?.({ path: 'a', old_string: 'x', new_string: 'y' })).toBe(false);
    expect(edit?.when?.({ path: 'a', old_string: 'x', new_content: 'y' })).toBe(false);
    expect(writeFile.renameArgs?.({ path: 'a', new_content: 'x' })).toEqual({ file_path: 'a', content: 'x' });
  });
});
