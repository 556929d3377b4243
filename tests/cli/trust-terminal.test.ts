import { describe, expect } from 'vitest';
import { test } from './program.js';
import { inTerminal } from './terminal.js';

const RULES = '.countersign/policies/rules.toml';
const RULE = '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\n';

describe('countersign trust in a terminal', () => {
  test.for([
    ['y', 'Trusted in its current state.', '[exit 0]'],
    ['n', 'Not trusted. Nothing was changed.', '[exit 1]'],
    ['', 'Not trusted. Nothing was changed.', '[exit 1]'],
    ['yy', 'Not trusted. Nothing was changed.', '[exit 1]'],
  ])('takes "%s" for what it is [P8]', async ([answer = '', said = '', exit = ''], { place }) => {
    place.write(RULES, RULE);
    await inTerminal(place, ['trust'], async (terminal) => {
      expect(await terminal.shows('Trust it? [y/N]')).toContain('1 rule (deny)');
      terminal.type(answer);
      expect(await terminal.shows(exit)).toContain(said);
    });
    const { lines } = await place.run(['trust', '--list', '--json']);
    expect(lines).toHaveLength(answer === 'y' ? 1 : 0);
  });

  test('takes Ctrl-C for a no, and remembers what was shown, not what changed meanwhile [P8]', async ({
    place,
  }) => {
    place.write(RULES, RULE);
    await inTerminal(place, ['trust'], async (terminal) => {
      await terminal.shows('Trust it? [y/N]');
      terminal.press('C-c');
      await terminal.shows('[exit 130]');
    });
    await inTerminal(place, ['trust'], async (terminal) => {
      await terminal.shows('Trust it? [y/N]');
      place.write(RULES, RULE.replace('deny', 'allow'));
      terminal.type('y');
      await terminal.shows('[exit 0]');
    });
    const { lines } = await place.run(['trust', '--list', '--json']);
    expect(lines).toMatchObject([{ now: 'changed' }]);
  });
});
