import { describe, expect } from 'vitest';
import { call, FakeModel, prompt, says, text } from './headless-model.js';
import { test } from './program.js';
import { inTerminal } from './terminal.js';

describe('in a real terminal', () => {
  test('what needs an approval is asked there, and a no with a reason reaches the model [A2] [L5]', async ({
    place,
  }) => {
    place.write('b.txt', 'b\n');
    const model = await FakeModel.start(
      says(
        text('I will write.'),
        call('write_file', { file_path: 'a.txt', content: 'x\n' }),
        call('read_file', { file_path: 'b.txt' }),
      ),
      says(call('write_file', { file_path: 'c.txt', content: 'y\n' })),
      says(text('Done.')),
    );
    await inTerminal(
      place,
      prompt('go'),
      async (terminal) => {
        const asked = await terminal.asks(1);
        expect(asked).toContain('I will write.');
        // What ends meanwhile does not get between the question and its answer.
        expect(asked).not.toContain('✓ Read b.txt');
        terminal.type('n use c.txt');
        await terminal.asks(2);
        terminal.type('y');
        const screen = await terminal.shows('[exit 0]');
        expect(screen).toContain('Done.');
        const all = terminal.everything();
        expect(all).toContain('✓ Read b.txt');
        expect(all).toContain('– Write a.txt');
        expect(all).toContain('✓ Write c.txt');
      },
      model.env,
    );
    expect([place.has('a.txt'), place.read('c.txt')]).toEqual([false, 'y\n']);
    expect(JSON.stringify(model.lastParts(1))).toContain('use c.txt');
  });

  test('Ctrl-C at a question cancels the turn [L5]', async ({ place }) => {
    const model = await FakeModel.start(says(call('write_file', { file_path: 'a.txt', content: 'x' })));
    await inTerminal(
      place,
      prompt('go'),
      async (terminal) => {
        await terminal.asks(1);
        terminal.press('C-c');
        expect(await terminal.shows('[exit 130]')).toContain('cancelled');
      },
      model.env,
    );
    expect(place.has('a.txt')).toBe(false);
  });
});
