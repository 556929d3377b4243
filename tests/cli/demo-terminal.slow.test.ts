import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './program.js';
import { inTerminal } from './terminal.js';

describe('the demonstration in a real terminal of 80 × 24', () => {
  test('shows question and choices on one screen, and a yes writes [A2] [G4]', async ({ place }) => {
    await inTerminal(place, ['demo'], async (terminal) => {
      const asked = await terminal.asks(1);
      for (const text of [
        'Edit poem.txt',
        '-A log is finer.',
        '+A countersigned log is finer.',
        'Why you are asked: Rule "editing"',
        '[y] Yes, allow once',
        '[a] Yes, and always: edits of files inside the workspace, for this session',
        'An "always" takes a scope (project: this workspace, user: every workspace)',
        '[n] No (n, or: n why not)',
      ])
        expect(asked).toContain(text);

      terminal.type('maybe');
      await terminal.shows('Type one of: y, a, e, n');
      terminal.type('y but not now');
      await terminal.shows('Nothing was decided: type "y" alone.');
      terminal.type('y');
      const ended = await terminal.shows('[exit 0]');
      expect(ended).toContain('The poem ends with “A countersigned log is finer.”');
      expect(ended).toMatch(/✓ Edit poem.txt .* tester, after/);
    });
    expect(readdirSync(join(place.directory, 'tmp'))).toEqual([]);
  });

  test('a declined edit leaves the file untouched, and the model receives the reason [L5] [G4]', async ({
    place,
  }) => {
    await inTerminal(place, ['demo'], async (terminal) => {
      await terminal.asks(1);
      terminal.type('n because I like it as it is');
      await terminal.shows('[exit 0]');
      const all = terminal.everything();
      expect(all).toContain('– Edit poem.txt\n    Decided by tester, after');
      expect(all).toContain('User did not allow tool call: because I like it as it is');
      expect(all).toContain('Model: The poem ends with “A log is finer.”');
    });
  });

  test('Ctrl-C at the question ends it [L5] [G4]', async ({ place }) => {
    await inTerminal(place, ['demo'], async (terminal) => {
      await terminal.asks(1);
      terminal.press('C-c');
      expect(await terminal.shows('[exit 130]')).toContain('– Edit poem.txt');
    });
    expect(readdirSync(join(place.directory, 'tmp'))).toEqual([]);
  });
});
