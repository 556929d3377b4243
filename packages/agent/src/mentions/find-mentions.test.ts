import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { findMentions } from './find-mentions.js';

test.each([
  ['@a.ts', ['a.ts']],
  ['see @src/a.ts, and @docs', ['src/a.ts', 'docs']],
  ['(@a.ts) [@b.ts] "@c.ts" `@d.ts`', ['a.ts', 'b.ts', 'c.ts', 'd.ts']],
  ['what does @a.ts do? And @b.ts!', ['a.ts', 'b.ts']],
  ['is it @README?', ['README']],
  ['@.env and @./x and @../y and @..', ['.env', './x', '../y', '..']],
  ['@"two words.md" @two\\ words.md', ['two words.md']],
  ['(see @app/[id]/(main)/page.tsx).', ['app/[id]/(main)/page.tsx']],
  ['read @dir/. and @dir/..', ['dir/.', 'dir/..']],
  ['twice @a and @a', ['a']],
  ['line\n@first\n\t@second', ['first', 'second']],
  ['@größe.txt @文件', ['größe.txt', '文件']],
])('%j names %j', (text, expected) => {
  expect(findMentions(text)).toEqual(expected);
});

test.each(['me@example.org', 'user@host:path', '@', '@ a', 'a @', '@@ -1,3 +1,4 @@', '5@3'])(
  '%j names nothing that could be a path',
  (text) => {
    expect(findMentions(text).filter((path) => !/^[@-]/.test(path))).toEqual([]);
  },
);

test('a text full of @ is read in no time, and the number of mentions is limited', () => {
  const elapsedMs = stopwatch();
  expect(findMentions(Array.from({ length: 20_000 }, (_, index) => `@f${index}`).join(' '))).toHaveLength(50);
  for (const piece of ['a.', '.', ')', '(', '\\ '])
    expect(findMentions(`@${piece.repeat(20_000)}`).length).toBeLessThanOrEqual(1);
  expect(findMentions('@'.repeat(100_000)).length).toBeLessThanOrEqual(50);
  expect(elapsedMs()).toBeLessThan(1_000);
});
