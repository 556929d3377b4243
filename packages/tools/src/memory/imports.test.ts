import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { stopwatch } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadMemory } from './load-memory.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

async function textOf(content: string): Promise<string> {
  place.put('GEMINI.md', content);
  const { files } = await loadMemory({ workspace: place.workspace, userDirectories: [] });
  return files.map(({ text }) => text).join('');
}

describe('an import', () => {
  test('is put in place, relative to the file that names it [T3]', async () => {
    place.put('docs/style.md', 'Tabs.\n@./more/words.md\n');
    place.put('docs/more/words.md', 'Short words.');
    expect(await textOf('Before.\n@docs/style.md\nAfter.\n')).toBe(
      'Before.\n[From docs/style.md:]\nTabs.\n[From docs/more/words.md:]\nShort words.\n[End of docs/more/words.md.]\n[End of docs/style.md.]\nAfter.\n',
    );
  });

  test('in the middle of a sentence leaves the sentence whole', async () => {
    place.put('a.md', 'A.\n');
    place.put('b.md', 'B.\n');
    expect(await textOf('- See @a.md, and (@b.md).')).toBe(
      '- See @a.md, and (@b.md).\n[From a.md:]\nA.\n[End of a.md.]\n[From b.md:]\nB.\n[End of b.md.]\n',
    );
  });

  test.each([
    'mail me@a.md',
    '@a.mdx and @a.md.bak',
    '@types/node',
    '`@a.md`',
    '```\n@a.md\n```\n',
    '\\@a.md',
    '@ a.md',
  ])('is not what only looks like one: %j', async (content) => {
    place.put('a.md', 'A.\n');
    expect(await textOf(content)).toBe(content);
  });

  test('of a file that is not there is noted in place', async () => {
    expect(await textOf('a\n@gone.md\nb\n')).toBe(
      'a\n[@gone.md was not imported: There is no such file.]\nb\n',
    );
    place.put('dir.md/x', '');
    expect(await textOf('@dir.md')).toContain('dir.md is a directory.');
    place.put('image.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]));
    expect(await textOf('@image.md')).toContain('It is not text.');
  });

  test('in a circle ends there, with a note', async () => {
    place.put('a.md', 'A @b.md\n');
    place.put('b.md', 'B @a.md and @GEMINI.md\n');
    const text = await textOf('@a.md\n@GEMINI.md\n');
    expect(text.match(/^[AB] /gm)).toEqual(['A ', 'B ']);
    expect(text).toContain('[@a.md was not imported: It is a.md, which imports this file.]');
    expect(text.match(/It is GEMINI.md, which/g)).toHaveLength(2);
  });

  test('of the same file a second time refers to the first', async () => {
    place.put('a.md', 'A.\n');
    symlinkSync('a.md', join(place.workspace, 'same.md'));
    expect(await textOf('@a.md\n@same.md\n')).toBe(
      '[From a.md:]\nA.\n[End of a.md.]\n[@same.md: a.md is given above.]\n',
    );
  });

  test('goes five files deep', async () => {
    for (let depth = 1; depth <= 7; depth += 1)
      place.put(`${depth}.md`, `level ${depth}\n@${depth + 1}.md\n`);
    const text = await textOf('@1.md\n');
    expect(text.match(/^level \d$/gm)).toHaveLength(5);
    expect(text).toContain('[@6.md was not imported: Imports are followed at most 5 files deep.]');
  });

  test('of very many files ends, whatever they import', async () => {
    const all = Array.from({ length: 300 }, (_, at) => `@x${at}.md`).join('\n');
    for (let at = 0; at < 300; at += 1) place.put(`x${at}.md`, `file ${at}\n${all}\n`);
    const text = await textOf(all);
    expect(text.match(/^file /gm)?.length).toBeLessThanOrEqual(100);
    expect(text.match(/At most 100 imports are read\./g)).toHaveLength(1);
  });

  test.each([
    ['mentions of nothing', '@gone.md '.repeat(11_000)],
    ['beginnings of mentions', '(@'.repeat(49_000)],
    ['dots', `@a.md${'.'.repeat(90_000)}x`],
    ['rows of backquotes', '` `` '.repeat(19_000)],
    ['a row of backquotes', `${'`'.repeat(98_000)}x\``],
    ['blanks', `- ${' '.repeat(98_000)}x`],
  ])('text made of %s keeps no one waiting, and does not grow', async (_, content) => {
    const elapsedMs = stopwatch();
    expect((await textOf(content)).length).toBeLessThan(120_000);
    expect(elapsedMs()).toBeLessThan(2_000);
  });
});

describe('an import never reaches', () => {
  test('outside the workspace: by path, by .., or by a link [P5]', async () => {
    const secret = join(place.outside, 'secret.md');
    writeFileSync(secret, 'treasure\n');
    symlinkSync(secret, join(place.workspace, 'link.md'));
    symlinkSync(place.outside, join(place.workspace, 'out'));
    const text = await textOf(`@${secret}\n@../outside/secret.md\n@link.md\n@out/secret.md\n`);
    expect(text).not.toContain('treasure');
    expect(text.match(/outside the workspace/g)).toHaveLength(4);
  });

  test('but it does reach the user’s memory, which is made for models', async () => {
    const config = join(place.outside, 'config');
    mkdirSync(config);
    writeFileSync(join(config, 'mine.md'), 'my way\n');
    place.put('GEMINI.md', '@../outside/config/mine.md\n');
    const { text } = await loadMemory({ workspace: place.workspace, userDirectories: [config] });
    expect(text).toContain('my way');
  });
});

describe('size', () => {
  test('more than all memory may hold is cut at a line, with a note that names the file', async () => {
    const text = await textOf('one line of it\n'.repeat(10_000));
    expect(text.length).toBeLessThan(101_000);
    expect(text.endsWith('characters. Read the file if you need it.]\n')).toBe(true);
    expect(text).toContain('one line of it\n[The rest of GEMINI.md is omitted');
  });

  test('a file beyond any memory is not read', async () => {
    expect(await textOf('x'.repeat(1_000_001))).toBe(
      '[GEMINI.md was not read: ' +
        `${join(place.workspace, 'GEMINI.md')} has 1000001 bytes; the limit is 1000000.]\n`,
    );
  });
});
