import { failureOf } from '@countersign/host/testing';
import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { refuseOmission } from './omission.js';

const refusal = (text: string, { known = '', shown = 'src/a.ts' } = {}) =>
  failureOf((async () => refuseOmission({ text, known, shown }))());
const isRefused = (text: string, shown = 'src/a.ts'): boolean => {
  try {
    refuseOmission({ text, known: '', shown });
    return false;
  } catch {
    return true;
  }
};

describe('a line that stands for code omitted is refused [T3]', () => {
  test.each([
    '// ... rest of the code unchanged ...',
    '// ...rest of the code...',
    '// rest of the code',
    '// Rest of the code remains the same',
    '// The rest of the file is unchanged.',
    '// the rest stays the same',
    '// rest unchanged',
    '// rest of your code goes here',
    '// (rest of the implementation)',
    '// ... (rest of the methods remain unchanged)',
    '// --- rest of file unchanged ---',
    '// … rest of the component …',
    '// ... existing code ...',
    '// existing code',
    '// Existing code here',
    '// keep existing code',
    '// existing methods remain unchanged',
    '// ... other methods ...',
    '// other functions remain the same',
    '// remaining code unchanged',
    '// ... imports ...',
    '// ... same as before ...',
    '// ... unchanged',
    '// unchanged ...',
    '// code omitted for brevity',
    '// omitted for brevity',
    '// implementation unchanged',
    '// ... 20 lines omitted ...',
    '// 20 lines unchanged',
    '// ...',
    '//...',
    '/* ... */',
    '/* existing code */',
    '/* ... existing styles ... */',
    '{/* ... existing content ... */}',
    '{/* rest of the component */}',
    '{ /* existing code */ }',
    '# rest of file remains the same',
    '# ... rest of the code ...',
    '# ...',
    '## ... existing code ...',
    '-- rest of the code',
    '-- ...',
    ';; ... rest of the file ...',
    '% rest of the file unchanged',
    '<!-- ... unchanged ... -->',
    '<!-- rest of the content remains the same -->',
    '<!-- existing code -->',
    '{# ... rest of the template ... #}',
    '{{!-- ... existing markup ... --}}',
    '(* rest of the code *)',
    ' * ... rest of the code unchanged ...',
    '[...]',
    '[…]',
    '[... rest of the file ...]',
    '[rest of the code unchanged]',
    '(rest of the code remains the same)',
    '... rest of the code ...',
    '…existing code…',
    '<rest of the code>',
  ])('%s', async (line) => {
    expect(await refusal(`const a = 1;\n\t${line}\nconst b = 2;\n`)).toEqual({
      code: 'edit_omission_placeholder',
      path: 'src/a.ts',
      line: 2,
      text: line.trim(),
    });
  });
});

describe('ordinary lines are not [T3]', () => {
  test.each([
    '...args',
    '...args,',
    '...rest',
    '...rest,',
    '...existing,',
    '...unchanged,',
    '...rest, code,',
    '...existing.code,',
    '...existingCode,',
    '[...list]',
    '[...rest]',
    '[...rest, code]',
    '[...existing, ...other]',
    '{...props}',
    '{ ...rest }',
    '(...args) => args,',
    '(...)',
    '...',
    'def f(self): ...',
    'x[...]',
    'const dots = "...";',
    "const text = '// ... rest of the code unchanged ...';",
    '"...existing code...",',
    'f(); // ... rest of the code',
    '// Take the first word; the rest of the code point is ignored.',
    '// the rest of the arguments',
    '// the rest of the line',
    '// Rest parameters',
    '// the rest',
    '// rest',
    '// The other fields are unchanged.',
    '// all other properties remain the same',
    '// the rest of the fields are unchanged',
    '// existing code paths must keep working',
    '// remove existing code',
    '// Preserve existing content',
    '// existing.code()',
    '// existing methods',
    '// Other methods',
    '// same logic as above',
    '// unchanged',
    '// Continue...',
    '// Skipped...',
    '// As before...',
    '// File unchanged',
    '// ...then fall back to the disk',
    '// First the cache...',
    '// see https://example.org/...',
    '// TODO: implement the rest of the parser',
    '// the remaining bytes',
    '// no changes needed here',
    '//',
    '// ---',
    '---',
    '/**',
    ' *',
    ' * ...',
    ' * // ...',
    ' */',
    '#include <rest.h>',
    '#[derive(Clone)]',
    '#!/bin/sh',
    '# ... and the rest is JSON',
    '# Existing users keep their password',
    '--rest=...',
    '-- existing rows',
    '[existing]',
    '[rest]',
    '<Existing code="1">',
    '<rest>',
    '(unchanged)',
    'The rest of the code remains the same.',
    'We leave the rest of the code unchanged...',
    'catch (...)',
    '>>> f(',
    '... 1, 2)',
  ])('%s', (line) => {
    expect(isRefused(`${line}\n`)).toBe(false);
    expect(isRefused(`const a = 1;\n    ${line}\nconst b = 2;\n`)).toBe(false);
  });

  test.each([
    '# Existing code',
    '# Rest of the file',
    '* existing code',
    '// ...',
    '[...]',
    '- ... existing code',
  ])('%s in prose', (line) => {
    expect(isRefused(`${line}\n`, 'docs/guide.md')).toBe(false);
    expect(isRefused(`${line}\n`, 'README')).toBe(false);
  });

  test('but a comment in prose is one', () => {
    expect(isRefused('```js\n// ... rest of the code ...\n```\n', 'README.md')).toBe(true);
    expect(isRefused('<!-- rest of the page unchanged -->\n', 'README.md')).toBe(true);
  });
});

test('a placeholder that was there before stays, whatever its indentation, and another one is refused', async () => {
  const known = 'a\n  // ...\nb\n';
  expect(() => refuseOmission({ text: '// ...\n', known, shown: 'a.ts' })).not.toThrow();
  expect(await refusal('// ...\n# ...\r\n', { known })).toMatchObject({ line: 2, text: '# ...' });
  expect(await refusal('// ...', { known: 'x // ...' })).toMatchObject({ line: 1 });
});

test('hostile lines do not take long', async () => {
  const long = `// ${'. '.repeat(100_000)}...${'-'.repeat(100_000)}x`;
  const many = `//${' -'.repeat(98)}x\n`.repeat(5_000);
  const blank = ' '.repeat(100_000);
  const elapsedMs = stopwatch();
  expect(await refusal(`${long}\n${many}${blank}\n// ...`)).toMatchObject({ line: 5_003 });
  expect(elapsedMs()).toBeLessThan(1_000);
});

test('a file that has as many lines of that kind as a text is searched once, not once for each [S4]', () => {
  const text = Array.from({ length: 200_000 }, (_, line) => `// ... rest of part ${line}`).join('\n');
  const begun = performance.now();
  refuseOmission({ text: `${text}\nmore`, known: text, shown: 'a.ts' });
  // Once for each line would take an hour.
  expect(performance.now() - begun).toBeLessThan(5_000);
});
