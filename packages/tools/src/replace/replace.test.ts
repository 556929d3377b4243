import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { contentHash } from '@countersign/host';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { FAILURES, type Failure, type JsonObject } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CarryOutOptions, carryOut, planContext, planOf, runContext } from '../testing/carry-out.js';
import { replace } from './replace.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const carry = (args: JsonObject, options: Partial<CarryOutOptions> = {}) =>
  carryOut(replace, { file_path: 'a', ...args }, { workspace: place.workspace, ...options });
const bytesOf = (path = 'a') => readFileSync(`${place.workspace}/${path}`);
const textOf = (path = 'a') => bytesOf(path).toString();

/** What becomes of a text, which is in a file. */
async function edited(
  before: string | Uint8Array,
  old_string: string,
  new_string: string,
  more: JsonObject = {},
) {
  place.put('a', before);
  await carry({ old_string, new_string, ...more });
  return textOf();
}

/** The failure of an edit, which must have left the file alone. */
async function refused(before: string | Uint8Array, args: JsonObject): Promise<Failure> {
  const path = place.put('a', before);
  const { ino, mtimeMs } = statSync(path);
  const failure = await failureOf(carry(args));
  expect(bytesOf().equals(Buffer.from(before))).toBe(true);
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  expect(readdirSync(place.workspace)).toEqual(['a']);
  return failure;
}

const withoutFirst = (text: string): string => text.slice(text.indexOf('\n') + 1);

const messageOf = (failure: Failure): string => {
  if (failure.code === 'edit_no_occurrence_found') return FAILURES[failure.code].message(failure);
  if (failure.code === 'edit_expected_occurrence_mismatch') return FAILURES[failure.code].message(failure);
  throw new Error(failure.code);
};

describe('the plan', () => {
  test('shows the difference, where it is, and is bound to both contents [A1] [A3]', async () => {
    const path = place.put('a', 'one\ntwo\nthree\n');
    const { draft } = await carry({ old_string: 'two', new_string: '2' });
    expect(draft).toEqual({
      title: 'Edit a',
      resources: [{ kind: 'fs.write', path, scope: 'file' }],
      repeat: 'unsafe',
      locations: [{ path, line: 2 }],
      basis: [{ path, before: contentHash(Buffer.from('one\ntwo\nthree\n')), after: contentHash(bytesOf()) }],
      leaves: expect.any(Function),
      confirmation: {
        type: 'edit',
        title: 'Edit a (+1 −1)',
        fileName: 'a',
        filePath: path,
        fileDiff: '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
        originalContent: 'one\ntwo\nthree\n',
        newContent: 'one\n2\nthree\n',
        diffStat: { added: 1, removed: 1 },
      },
    });
  });

  test('notes if the file was not read before, and how the text was found if not exactly [A1]', async () => {
    place.put('a', '    f(1,2);\n');
    const { draft } = await carry({ old_string: 'f(1, 2);', new_string: 'g();' }, { wasRead: () => false });
    expect(draft.confirmation).toMatchObject({
      notes: [
        'This session has not read this file.',
        'old_string does not occur exactly; with other white space it does, in line 1. Unchanged lines keep the indentation of the file, and new lines are indented to match.',
      ],
    });
  });

  test('starts from what earlier calls will leave, so that two edits of one file both land [S2]', async () => {
    const path = place.put('a', 'one\ntwo\n');
    const options = { workspace: place.workspace };
    const first = { file_path: 'a', old_string: 'one', new_string: '1' };
    const second = { file_path: 'a', old_string: '1\ntwo', new_string: '1\n2' };
    const firstDraft = await replace.plan(first, planContext(options));
    expect(firstDraft.leaves?.(`${path}x`)).toBe(null);
    const earlier = async (asked: string) => firstDraft.leaves?.(asked) ?? null;
    const secondDraft = await replace.plan(second, planContext({ ...options, earlier }));
    expect(secondDraft.basis?.[0]?.before).toBe(firstDraft.basis?.[0]?.after);
    const run = async (args: JsonObject, draft: typeof firstDraft) =>
      replace.run(args, runContext(planOf(replace, draft, place.workspace), options));
    expect(await failureOf(run(second, secondDraft))).toEqual({ code: 'stale_file', path: 'a' });
    await run(first, firstDraft);
    await run(second, secondDraft);
    expect(textOf()).toBe('1\n2\n');
  });
});

describe('an exact replacement', () => {
  test('reports what was done and keeps everything else [T3]', async () => {
    place.put('a', 'one\ntwo\n');
    const { result } = await carry({ old_string: 'two', new_string: '2', instruction: 'Digits.' });
    expect(result).toEqual({
      llmContent: 'Edited a: replaced 1 exact match, in line 2 (+1 −1).',
      returnDisplay: {
        fileName: 'a',
        filePath: `${place.workspace}/a`,
        fileDiff: '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
        diffStat: { added: 1, removed: 1 },
      },
    });
  });

  test.each([
    ['dollar signs', 'a\nb\n', 'b', "$& $1 $$ $` $' ${x}", "a\n$& $1 $$ $` $' ${x}\n"],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
    ['CRLF, sent as such', 'a\r\nb\r\n', 'a\r\nb\r\n', 'x\r\n', 'x\r\n'],
    ['LF, though CRLF was sent', 'a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
    ['a match that ends between CR and LF', 'a\r\nb', 'a\n', 'x', 'xb'],
    ['lone CR', 'a\rb\nc\n', 'c', 'd', 'a\rb\nd\n'],
    ['mixed line ends', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'a\nB\nc', 'a\r\nB\nc\r\nd\n'],
    ['mixed line ends, lines added', 'a\r\nb\nc\r\n', 'a\nb', 'a\nx\ny\nb', 'a\r\nx\r\ny\r\nb\nc\r\n'],
    ['mixed line ends, lines removed', 'a\r\nb\nc\r\nd', 'a\nb\nc\n', 'c\n', 'c\r\nd'],
    ['tabs', '\tif (x)\n\t\ty();\n', '\ty();', '\tz();', '\tif (x)\n\t\tz();\n'],
    ['no final newline', 'a\nb', 'b', 'c', 'a\nc'],
    ['the final newline', 'a\nb\n', 'b\n', 'c\n', 'a\nc\n'],
    ['what was sent, to the last byte', 'a\nb', 'b', 'b\n', 'a\nb\n'],
    ['characters beyond the basic plane', '😀 é ü\n', 'é', '→😀', '😀 →😀 ü\n'],
    ['a decomposed accent', 'cafe\u0301\n', 'cafe\u0301', 'tea', 'tea\n'],
    ['white space at the end of lines', 'a  \nb\t\n', 'a', 'x', 'x  \nb\t\n'],
    ['an empty replacement', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['the whole text', 'a\nb', 'a\nb', '', ''],
  ])('keeps %s [T4]', async (_, before, old, next, after) => {
    expect(await edited(before, old, next)).toBe(after);
  });

  test.each([
    ['a UTF-8 mark', Buffer.from('\ufeffa\r\nb'), Buffer.from('\ufeffx\r\nb')],
    ['UTF-16 LE', Buffer.from('\ufeffa\nb', 'utf16le'), Buffer.from('\ufeffx\nb', 'utf16le')],
    [
      'UTF-16 BE',
      Buffer.from('\ufeffa\nb', 'utf16le').swap16(),
      Buffer.from('\ufeffx\nb', 'utf16le').swap16(),
    ],
    ['Windows-1252', Buffer.from([0x61, 0xe9, 0x80, 0x81]), Buffer.from([0x78, 0xe9, 0x80, 0x81])],
  ])('keeps %s [T4]', async (_, before, after) => {
    await edited(before, 'a', 'x');
    expect(bytesOf()).toEqual(after);
  });

  test('is made in as many lines as there may be [T4]', async () => {
    const mixed = `a\r\n${'b\n'.repeat(150_000)}c\n`;
    expect(
      (await edited(mixed, withoutFirst(mixed), withoutFirst(mixed).replace('c', 'd'))) ===
        mixed.replace('c', 'd'),
    ).toBe(true);
    const long = `  f( 1 );\n${'b\n'.repeat(150_000)}`;
    const changed = await edited(
      long,
      `f(1);\n${'b\n'.repeat(150_000)}`,
      `f(1);\n${'b\n'.repeat(149_999)}c\n`,
    );
    expect(changed === long.replace(/b\n$/u, 'c\n')).toBe(true);
  });

  test('takes no notice of a byte order mark in what was sent', async () => {
    await edited(Buffer.from('\ufeffa\n'), '\ufeffa', '\ufeffb');
    expect(bytesOf()).toEqual(Buffer.from('\ufeffb\n'));
  });

  test('of any text that occurs once leaves the bytes around it alone [T3] [T4]', async () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '$', '&', 'é', '😀', '\\', '"'),
    });
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, piece, async (prefix, old, next, suffix) => {
        const before = prefix + old + suffix;
        place.put('a', before);
        const occurs = [...Array(before.length).keys()].filter((at) => before.startsWith(old, at)).length;
        const outcome = carry({ old_string: old, new_string: next });
        const isDone = await outcome.then(
          () => true,
          () => false,
        );
        if (!isDone) {
          await failureOf(outcome);
          expect(textOf()).toBe(before);
        }
        if (old !== '' && old !== next && occurs === 1) expect(textOf()).toBe(prefix + next + suffix);
        if (occurs > 1) expect(textOf()).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the number of places', () => {
  const twice = 'x\nsame\ny\nsame\n';

  test('must be one, and several are shown with their lines [T3]', async () => {
    const failure = await refused(twice, { old_string: 'same', new_string: 'other' });
    expect(failure).toEqual({
      code: 'edit_expected_occurrence_mismatch',
      path: 'a',
      match: 'exact',
      expected: 1,
      found: 2,
      places: [
        { line: 2, text: 'same' },
        { line: 4, text: 'same' },
      ],
    });
    expect(messageOf(failure)).toBe('old_string occurs 2 times in a; expected: 1.\n2: same\n--\n4: same');
  });

  test('may be any number, or a certain one [T3]', async () => {
    expect(await edited(twice, 'same', '$1', { allow_multiple: true })).toBe('x\n$1\ny\n$1\n');
    expect(await edited('x\nsame\n', 'same', 'z', { allow_multiple: true })).toBe('x\nz\n');
    expect(await edited(twice, 'same', 'z', { expected_replacements: 2 })).toBe('x\nz\ny\nz\n');
    expect(await edited('a\r\na\r\na', 'a\n', 'bb\n', { expected_replacements: 2 })).toBe('bb\r\nbb\r\na');
    expect(
      await refused(twice, { old_string: 'same', new_string: 'z', expected_replacements: 3 }),
    ).toMatchObject({
      code: 'edit_expected_occurrence_mismatch',
      expected: 3,
      found: 2,
    });
    const { result } = await (place.put('a', twice),
    carry({ old_string: 'same', new_string: 'z', allow_multiple: true }));
    expect(result.llmContent).toBe('Edited a: replaced 2 exact matches, in lines 2 and 4 (+2 −2).');
  });

  test('counts overlapping ones: which was meant is not clear [T3]', async () => {
    expect(await refused('aaa', { old_string: 'aa', new_string: 'b' })).toMatchObject({ found: 2 });
    expect(await refused('a\n\n\nb', { old_string: '\n\n', new_string: '\n' })).toMatchObject({ found: 2 });
    expect(await edited('aaaaa', 'aa', 'b', { allow_multiple: true })).toBe('bba');
  });

  test('has a limit, and so has the length of the result', async () => {
    const many = await refused('a'.repeat(20_000), {
      old_string: 'a',
      new_string: 'b',
      allow_multiple: true,
    });
    expect(many).toMatchObject({ code: 'invalid_tool_params' });
    const overlapping = { old_string: 'a'.repeat(9), new_string: 'b', allow_multiple: true };
    expect(await refused('a'.repeat(20_000), overlapping)).toMatchObject({ code: 'invalid_tool_params' });
    // The one line that has nothing else on it comes after more occurrences than are looked at.
    const within = { old_string: 'a \t', new_string: 'b' };
    expect(await refused(`a\n${'a.'.repeat(20_000)}\na\n`, within)).toMatchObject({
      code: 'invalid_tool_params',
    });
    const long = await refused('a\n'.repeat(9_000), {
      old_string: 'a',
      new_string: 'b'.repeat(3_000),
      allow_multiple: true,
    });
    expect(long).toMatchObject({ code: 'invalid_tool_params' });
  });
});

describe('a text with other white space', () => {
  test('is found, and new lines are indented like the file [T3]', async () => {
    place.put('a', 'class A {\n    f() {\n        if (x) {\n            y();\n        }\n    }\n}\n');
    const { result } = await carry({
      old_string: 'if (x) {\n  y();\n}\n',
      new_string: 'if (x) {\n  y();\n  for (;;) {\n    z();\n  }\n}\nreturn;\n',
    });
    expect(textOf()).toBe(
      'class A {\n    f() {\n        if (x) {\n            y();\n            for (;;) {\n                z();\n            }\n        }\n        return;\n    }\n}\n',
    );
    expect(result.llmContent).toMatch(
      /^Edited a: replaced 1 match found by ignoring white space, in lines 3–5 \(\+4 −0\)\. old_string does not/,
    );
    expect(result.llmContent).toContain('+        return;\n');
  });

  test.each([
    [
      'tabs where blanks were sent',
      '\tif (x) {\n\t\ty();\n\t}\n',
      'if (x) {\n  y();\n}',
      'if (x) {\n  y();\n  if (z) {\n    w();\n  }\n}',
      '\tif (x) {\n\t\ty();\n\t\tif (z) {\n\t\t\tw();\n\t\t}\n\t}\n',
    ],
    ['blanks where tabs were sent', '  f(a);\n', '\tf(a) ;', '\tf(a);\n\t\tg();\n', '  f(a);\n    g();\n\n'],
    [
      'a first level of tabs',
      '\t\tf(a , b);\n',
      'f(a, b);',
      'if (a) {\n  f(b);\n}',
      '\t\tif (a) {\n\t\t\tf(b);\n\t\t}\n',
    ],
    ['less indentation than before', '        f( 1 );\n', '    f(1);', 'g();\n', '    g();\n\n'],
    [
      'lines that it leaves alone',
      'f( a );  \n\n\ng();\nh();\n',
      'f(a);\ng();\nh();',
      'f(a);\ng();\ni();',
      'f( a );  \n\n\ng();\ni();\n',
    ],
    ['a blank line that is not there', 'f( );\ng();\n', 'f();\n\ng();', 'f();\n\nh();', 'f( );\nh();\n'],
    [
      'lines broken elsewhere',
      '  f(\n    a,\n    b\n  );\nx\n',
      '  f(a, b);',
      '  f(b, a);\n',
      '  f(b, a);\n\nx\n',
    ],
    [
      'as many lines, broken elsewhere',
      '  f(a,\n    b);\n',
      'f(\na, b);',
      'g(\n  a, b);',
      '  g(\n    a, b);\n',
    ],
    [
      'indentation that is not the same everywhere',
      'f( a );\n      g();\nh();\n',
      'f(a);\ng();\nh();',
      'f(a);\ng();\ni();\nh();\nj();',
      'f( a );\n      g();\n      i();\nh();\nj();\n',
    ],
    ['a line that goes', 'a\n  b ();\nc\n', 'b();\n', '', 'a\nc\n'],
    ['the last line, which goes', 'a\n  b ();', 'b();\n', '', 'a'],
    ['a last line without its line break', 'a\n  b ();', 'b();\n', 'c();\n', 'a\n  c();'],
    ['blank lines around it', 'a\n\n  b ();\n\nc\n', '\n\nb();\n\n', '\n\nd();\n\n', 'a\n\n  d();\n\nc\n'],
    ['a blank line that is added', 'a\n  b ();\nc\n', 'b();\n', 'd();\n\n', 'a\n  d();\n\nc\n'],
    ['blank lines in its place', 'a\n  b ();\nc\n', 'b();', '\n', 'a\n\n\nc\n'],
    ['a line break that was forgotten', 'a\n  b ();\nc\n', 'b();\n', 'd();', 'a\n  d();\nc\n'],
    ['CRLF', 'a\r\n  b ();\r\nc\r\n', 'b();', 'd();\ne();', 'a\r\n  d();\r\n  e();\r\nc\r\n'],
    ['no-break spaces', 'a\u00a0= 1\n', 'a = 1', 'a = 2', 'a = 2\n'],
  ])('%s [T3] [T4]', async (_, before, old, next, after) => {
    expect(await edited(before, old, next)).toBe(after);
  });

  test('is not found where the words differ, nor in part of a line', async () => {
    expect(await refused('returnx\n', { old_string: 'return x', new_string: 'y' })).toMatchObject({
      code: 'edit_no_occurrence_found',
    });
    expect(await refused('f( 1 ); g();\n', { old_string: 'f(1);', new_string: 'y' })).toMatchObject({
      code: 'edit_no_occurrence_found',
    });
  });

  test('must be in one place only, or in as many as were expected [T3]', async () => {
    const before = '  f( 1 );\nx\n    f(1 );\n';
    const failure = await refused(before, { old_string: 'f(1);', new_string: 'g();' });
    expect(failure).toMatchObject({
      match: 'flexible',
      found: 2,
      places: [{ line: 1 }, { line: 3, text: '    f(1 );' }],
    });
    expect(messageOf(failure)).toContain(
      'old_string occurs 2 times in a, apart from white space; expected: 1.\n1:   f( 1 );',
    );
    expect(await edited(before, 'f(1);', 'g();', { expected_replacements: 2 })).toBe('  g();\nx\n    g();\n');
  });
});

describe('a text with a few other characters', () => {
  const line = 'const message = greet("wonderful", world);'; // 42 characters

  test('is found if it is the only one like it, and the difference is reported [T3] [A1]', async () => {
    place.put('a', `x\n  ${line}\n  send(message);\ny\n`);
    const { draft, result } = await carry({
      old_string: `${line.replace('wonderful', 'wonderfull')}\nsend(message);`,
      new_string: `${line.replace('wonderful', 'wonderfull')}\nsend(message, now);`,
    });
    expect(textOf()).toBe(`x\n  ${line}\n  send(message, now);\ny\n`);
    const told =
      'Line 2 is "const message = greet(\\"wonderful\\", world);", not "const message = greet(\\"wonderfull\\", world);".';
    expect(draft.confirmation).toMatchObject({
      notes: ['old_string does not occur exactly; lines 2–3 is the only similar text.', told],
    });
    expect(result.llmContent).toContain('replaced 1 match found by similarity, in lines 2–3 (+1 −1).');
    expect(result.llmContent).toContain(told);
  });

  test.each([1, 2, 5, 10])(
    'may differ in one of ten characters and no more (%i of ten times as many) [T3]',
    async (count) => {
      const text = Array.from({ length: count * 10 }, (_, index) =>
        String.fromCharCode(97 + (index % 26)),
      ).join('');
      const changed = (times: number) =>
        Array.from(text, (c, index) => (index % 7 === 0 && index / 7 < times ? '#' : c)).join('');
      expect(await edited(`${text}\n`, changed(count), 'new')).toBe('new\n');
      expect(await refused(`${text}\n`, { old_string: changed(count + 1), new_string: 'new' })).toMatchObject(
        {
          code: 'edit_no_occurrence_found',
          searched: 'exact and similar',
        },
      );
    },
  );

  test('counts over all its lines, and needs as many of them', async () => {
    const before = 'alpha(one);\nbeta(two);\ngamma(three);\n';
    expect(await edited(before, 'alpha(one);\nbeta(TWO);\ngamma(three);', 'x')).toBe('x\n');
    expect(
      await refused(before, { old_string: 'alpha(one);\ngamma(three);', new_string: 'x' }),
    ).toMatchObject({
      code: 'edit_no_occurrence_found',
    });
  });

  test('is not found for the sake of its indentation', async () => {
    const deep = `${' '.repeat(60)}x = 1`;
    expect(
      await refused(`${deep}\n`, { old_string: `${' '.repeat(60)}y = 2`, new_string: 'z' }),
    ).toMatchObject({
      code: 'edit_no_occurrence_found',
    });
  });

  test('is refused if two places are like it, however many were expected [T3]', async () => {
    const before = `${line}1\n${line}2\n`;
    for (const more of [{}, { allow_multiple: true }, { expected_replacements: 2 }]) {
      const failure = await refused(before, { old_string: `${line}3`, new_string: 'z', ...more });
      expect(failure).toMatchObject({
        code: 'edit_expected_occurrence_mismatch',
        match: 'fuzzy',
        found: 2,
        places: [{ line: 1 }, { line: 2 }],
      });
    }
    expect(
      await refused(`${line}1\n`, { old_string: `${line}3`, new_string: 'z', expected_replacements: 2 }),
    ).toMatchObject({
      match: 'fuzzy',
      expected: 2,
      found: 1,
    });
  });

  test('is refused if it fits the same lines in two ways [T3]', async () => {
    const table = [1, 2, 3].map((n) => `row ${n} of the table, with cells`).join('\n');
    expect(
      await refused(table, {
        old_string: 'row 7 of the table, with cells\nrow 8 of the table, with cells',
        new_string: 'z',
      }),
    ).toMatchObject({ match: 'fuzzy', found: 2, places: [{ line: 1 }, { line: 2 }] });
  });
});

describe('a text that is not there', () => {
  test('is answered with the nearest lines and their numbers [T3]', async () => {
    const before = `import x;\n\nfunction computeTotal(items, taxRate) {\n  return items.length * taxRate;\n}\n`;
    const failure = await refused(before, {
      old_string: 'function computeSum(items, rate) {\n  return items.length * rate + 17;\n}',
      new_string: 'z',
    });
    expect(failure).toMatchObject({
      code: 'edit_no_occurrence_found',
      nearest: [
        { line: 3, text: 'function computeTotal(items, taxRate) {\n  return items.length * taxRate;\n}' },
      ],
    });
    expect(messageOf(failure)).toMatch(
      /Nearest to it:\n3: function computeTotal\(items, taxRate\) \{\n4: {3}return/,
    );
    expect(
      await refused('nothing alike\n', { old_string: 'quite unrelated words', new_string: 'z' }),
    ).toMatchObject({ nearest: [] });
    expect(await refused('', { old_string: 'x', new_string: 'z' })).toMatchObject({ nearest: [] });
    expect(await refused('a\n', { old_string: ' \n ', new_string: 'z' })).toMatchObject({ nearest: [] });
    expect(await refused('\n \n', { old_string: 'x', new_string: 'z' })).toMatchObject({ nearest: [] });
    expect(await refused('short\n', { old_string: 'a\nb\nc\nshort\nd', new_string: 'z' })).toMatchObject({
      nearest: [{ line: 1 }],
    });
  });

  test('is not unescaped by guesswork, but the failure notes that it would fit then [T3]', async () => {
    const failure = await refused('x\nif (a) {\n  say("b");\n}\n', {
      old_string: 'if (a) {\\n  say(\\"b\\");\\n}',
      new_string: 'y',
    });
    expect(failure).toMatchObject({
      remarks: [
        'It would be found in lines 2–4 if its escapes (such as \\n or \\") were the characters themselves: send those instead.',
      ],
    });
  });

  test('may have been replaced before, which the failure notes too', async () => {
    expect(
      await refused('x\nconst b = 2;\n', { old_string: 'let a = 1;', new_string: 'const b = 2;' }),
    ).toMatchObject({
      remarks: ['new_string is already there, in line 2: this edit may have been made before.'],
    });
  });

  test('is abandoned before it blocks other calls, and the failure states that [T3]', async () => {
    const long = 'some text in a line of its own\n'.repeat(100_000);
    const elapsedMs = stopwatch();
    const failure = await refused(long, { old_string: 'some text in a line of ist own', new_string: 'z' });
    expect(failure).toMatchObject({ code: 'edit_no_occurrence_found', searched: 'exact', nearest: [] });
    const table = Array.from(
      { length: 10_000 },
      (_, n) => `cell ${n * 7919}, ${n * 104729}, ${n * 15485863}`,
    );
    const sought = table.slice(5_000, 5_400).map((row) => row.replace(/\d\d\d$/u, 'xyz'));
    expect(await refused(table.join('\n'), { old_string: sought.join('\n'), new_string: 'z' })).toMatchObject(
      {
        code: 'edit_no_occurrence_found',
      },
    );
    const same = 'the same line again and again\n';
    for (const times of [10, 5_000]) {
      const alike = same.repeat(times).replaceAll('again and', 'again  and');
      expect(await refused(same.repeat(10_000), { old_string: alike, new_string: 'z' })).toMatchObject({
        code: 'edit_expected_occurrence_mismatch',
        match: 'flexible',
      });
    }
    const repeated = await refused('a'.repeat(4_000_000), {
      old_string: 'a'.repeat(2_000_000),
      new_string: 'z',
    });
    expect(repeated).toMatchObject({ code: 'edit_expected_occurrence_mismatch' });
    expect(elapsedMs()).toBeLessThan(10_000);
  });
});

describe('an edit that is none', () => {
  test('is refused: the same text, or one that is there already [T3]', async () => {
    const same = { code: 'edit_no_change', path: 'a', reason: 'old_string and new_string are the same' };
    expect(await refused('a\n', { old_string: 'a', new_string: 'a' })).toEqual(same);
    expect(await refused('a\r\nb', { old_string: 'a\r\nb', new_string: 'a\nb' })).toEqual(same);
    expect(await refused('f( 1 );\n', { old_string: 'f(1) ;', new_string: 'f( 1 );' })).toMatchObject({
      code: 'edit_no_change',
      reason: 'new_string is already in the file, in line 1',
    });
  });

  test('is refused if its new text leaves something out, and the file stays [T3]', async () => {
    expect(
      await refused('f();\ng();\n', {
        old_string: 'f();\ng();',
        new_string: 'f(1);\n// ... rest of the code unchanged ...',
      }),
    ).toEqual({
      code: 'edit_omission_placeholder',
      path: 'a',
      line: 2,
      text: '// ... rest of the code unchanged ...',
    });
    expect(await edited('f();\n// ...\n', 'f();\n// ...', 'g();\n// ...')).toBe('g();\n// ...\n');
  });
});

describe('a new file', () => {
  test('is made from an empty old text [T3] [T4]', async () => {
    const { draft, result } = await carry({ file_path: 'new/a', old_string: '', new_string: 'x\r\n$&' });
    expect(draft.title).toBe('Write new/a (new file)');
    expect(result.llmContent).toBe('Created new/a with 2 lines.');
    expect(textOf('new/a')).toBe('x\r\n$&');
    expect(await edited('', '', 'x')).toBe('x');
  });

  test('is not made where one is, nor from a part of one [T3]', async () => {
    expect(await refused('x', { old_string: '', new_string: 'y' })).toEqual({
      code: 'attempt_to_create_existing_file',
      path: 'a',
    });
    expect(await failureOf(carry({ file_path: 'b', old_string: 'x', new_string: 'y' }))).toEqual({
      code: 'file_not_found',
      path: 'b',
      nearest: ['a'],
    });
    mkdirSync(`${place.workspace}/d`);
    expect(await failureOf(carry({ file_path: 'd', old_string: '', new_string: 'y' }))).toMatchObject({
      code: 'target_is_directory',
    });
  });
});

describe('what was approved is what is written', () => {
  test('or nothing, if the file changed since, even elsewhere [A3] [T4]', async () => {
    const path = place.put('a', 'one\ntwo\n');
    const meanwhile = () => writeFileSync(path, 'one\ntwo\nthree\n');
    expect(await failureOf(carry({ old_string: 'two', new_string: '2' }, { meanwhile }))).toEqual({
      code: 'stale_file',
      path: 'a',
    });
    expect(textOf()).toBe('one\ntwo\nthree\n');
  });

  test('also where a person wrote the content themselves [A4]', async () => {
    const before = 'one\r\ntwo\r\ntwo\r\n';
    place.put('a', before);
    const args = {
      file_path: 'a',
      old_string: 'one',
      new_string: '1',
      allow_multiple: true,
      instruction: 'x',
    };
    const { draft } = await carryOut(replace, args, { workspace: place.workspace });
    if (draft.confirmation?.type !== 'edit') throw new Error('no edit');
    const theirs = await replace.withContent?.(
      args,
      'uno\r\ntwo\r\ndue\r\n',
      draft.confirmation.originalContent,
    );
    expect(theirs).toEqual({
      file_path: 'a',
      old_string: before,
      new_string: 'uno\r\ntwo\r\ndue\r\n',
      instruction: 'x',
    });
    place.put('a', before);
    await carry(theirs ?? {});
    expect(textOf()).toBe('uno\r\ntwo\r\ndue\r\n');
    const mixed = 'one\r\ntwo\nthree\r\n';
    expect(await edited(mixed, mixed, 'one\ntwo\r\n3\n\r\n')).toBe('one\ntwo\r\n3\n\r\n');
    expect(await replace.withContent?.({ ...args, file_path: 'b' }, 'new', null)).toMatchObject({
      old_string: '',
      new_string: 'new',
    });
  });
});

describe('other spellings and wrong arguments', () => {
  test('edit means replace unless it has the whole content [T3]', () => {
    const [edit] = replace.aliases ?? [];
    expect(edit?.name).toBe('edit');
    expect(edit?.when?.({ path: 'a', old_string: 'x', new_string: 'y' })).toBe(true);
    expect(edit?.when?.({ path: 'a', new_content: 'x' })).toBe(false);
    expect(replace.renameArgs?.({ path: 'a', old_string: 'x' })).toEqual({ file_path: 'a', old_string: 'x' });
  });

  test('are named [L3]', () => {
    expect(replace.check({ file_path: 'a', old_string: 'x', new_string: 'y', count: 2 })).toMatchObject({
      ok: false,
    });
    expect(
      replace.check({ file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 0 }),
    ).toEqual({
      ok: false,
      problems: ['"expected_replacements" must be a whole number of at least 1, not 0'],
    });
    expect(replace.check({ file_path: 'a', old_string: 'x' })).toEqual({
      ok: false,
      problems: ['"new_string" is required (string)'],
    });
  });
});
