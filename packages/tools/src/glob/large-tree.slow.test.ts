import { utimesSync } from 'node:fs';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grepSearch } from '../grep-search/grep-search.js';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';
import { glob } from './glob.js';

const FILES = 20_000;

let place: TemporaryWorkspace;
beforeAll(() => {
  place = temporaryWorkspace();
  for (let file = 0; file < FILES; file += 1) {
    const path = place.put(
      `d${file % 200}/e${file % 7}/f${file}.ts`,
      `line\n${file % 10 === 0 ? 'needle' : ''}\n`,
    );
    utimesSync(path, 1_000 + file, 1_000 + file);
  }
}, 60_000);
afterAll(() => place.remove());

describe.each(RIPGREP_CHOICES)('20,000 files %s', (choice) => {
  test('are listed newest first and searched in order of path [T3]', async () => {
    const restore = chooseRipgrep(choice);
    try {
      const { workspace } = place;
      const listed = String((await carryOut(glob, { pattern: '**/*.ts' }, { workspace })).result.llmContent);
      expect(listed).toMatch(/^20000 files match .* \(19000 more not shown/);
      expect(listed.split('\n')[1]).toBe('d199/e0/f19999.ts');
      expect(listed.split('\n').at(-1)).toMatch(/\/f19000\.ts$/);
      const found = String(
        (await carryOut(grepSearch([]), { pattern: 'needle' }, { workspace })).result.llmContent,
      );
      expect(found).toMatch(/^2000 matches in 2000 files .* \(only 100 shown, in order of path/);
      expect(found.split('\n')[2]).toBe('File: d0/e0/f0.ts');
    } finally {
      restore();
    }
  }, 60_000);
});
