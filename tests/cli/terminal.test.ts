import { describe, expect } from 'vitest';
import { type Line, TEST_TOOLS, test, writeCall } from './program.js';
import { inTerminal } from './terminal.js';

const exec = (...calls: readonly Line[]) => ['exec', ...calls.map((call) => JSON.stringify(call))];

describe('in a real terminal of 80 × 24', () => {
  test('calls are asked about one by one, results stay JSON lines, and "always" answers the rest [A2] [C3]', async ({
    place,
  }) => {
    const names = ['1.txt', '2.txt', '3.txt'];
    const batch = names.map((name) => writeCall(name, `${name}\n`, name));
    await inTerminal(place, ['exec', JSON.stringify(batch)], async (terminal) => {
      // They are asked about as soon as each is planned, in whatever order that happens.
      const first = await terminal.asks(1);
      const declined = names.find((name) => first.includes(`Write ${name} (new file)`));
      terminal.type('n');
      await terminal.asks(2);
      terminal.type('a');
      const ended = await terminal.shows('[exit 1]');
      expect(ended.split('> a\n')[1]).not.toContain('(new file)');
      expect(names.filter(place.has)).toEqual(names.filter((name) => name !== declined));
    });
  });

  test('an "always" takes a scope, a time and a number of uses after its letter [P6] [A2] [C3]', async ({
    place,
  }) => {
    const call = { id: 'c', name: 'run_shell_command', args: { command: 'git push origin main' } };
    await inTerminal(place, exec(call), async (terminal) => {
      const asked = await terminal.asks(1);
      expect(asked).toContain('[a] Yes, and always: exactly `git push origin main`, for this session');
      expect(asked).toContain('[t] Yes, and always: commands that begin with `git push');
      for (const typed of ['a world', 'a user soon', 'a 0 uses']) {
        terminal.type(typed);
        await terminal.shows(`> ${typed}\nNothing was decided: Write a time and a number of uses`);
      }
      terminal.type('a user 2h 3 uses');
      await terminal.shows('[exit ');
    });
    const { lines } = await place.run(['grants', 'list', '--json']);
    expect(lines).toMatchObject([
      { scope: 'user', uses: 3, expiresAt: expect.any(Number), text: 'exactly `git push origin main`' },
    ]);
  });

  test('a scope that is not offered for an "always" decides nothing [P6] [A2]', async ({ place }) => {
    const call = { id: 'c', name: 'run_shell_command', args: { command: './build.sh --fast' } };
    await inTerminal(place, exec(call), async (terminal) => {
      expect(await terminal.asks(1)).not.toContain('a user');
      terminal.type('a user');
      await terminal.shows('Nothing was decided: "user" is not offered here. Offered: session, project');
      terminal.type('n');
      await terminal.shows('[exit 1]');
    });
    expect((await place.run(['grants', 'list', '--json'])).lines).toEqual([]);
  });

  test('a long change is counted and offered whole, with the choices in sight [A7]', async ({ place }) => {
    const content = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');
    await inTerminal(place, exec(writeCall('a.txt', content, 'w')), async (terminal) => {
      const asked = await terminal.asks(1);
      expect(asked).toContain('⋮ not shown: 195 of 203 lines');
      // The end is where one would hide something: it is always part of what is shown.
      expect(asked).toContain('│ +line 199');
      expect(asked).toContain('[w] Show everything');
      expect(asked).toContain('[n] No');
      terminal.type('w');
      await terminal.asks(2);
      expect(terminal.everything()).toContain('+line 100');
      terminal.type('n');
      await terminal.shows('[exit 1]');
      expect(place.has('a.txt')).toBe(false);
    });
  });

  test('hostile text shows as codes, in colour only where colour is wanted [A7] [C1]', async ({ place }) => {
    const call = writeCall('a.txt', 'fine\u001b[2J\u202e\n', 'w');
    await inTerminal(place, exec(call), async (terminal) => {
      expect(await terminal.asks(1)).toContain('│ +fine\\x1b[2J\\u{202e}');
      expect(terminal.bytes).toContain('\u001b[32m+fine');
    });
    await inTerminal(
      place,
      exec(call),
      async (terminal) => {
        await terminal.asks(1);
        expect(terminal.bytes).not.toContain('\u001b[32m');
      },
      { NO_COLOR: '1' },
    );
  });

  test('Ctrl-C cancels what runs while nothing is asked [L5]', async ({ place }) => {
    const args = ['exec', '--tools', TEST_TOOLS, '--events', '{"id":"s","name":"slow"}'];
    await inTerminal(place, args, async (terminal) => {
      await terminal.shows('"output":"begun"');
      terminal.press('C-c');
      expect(await terminal.shows('[exit 130]')).toContain('"status":"cancelled"');
    });
  });

  test('Ctrl-C and Ctrl-D at a question cancel the call [L5]', async ({ place }) => {
    for (const key of ['C-c', 'C-d'] as const) {
      await inTerminal(place, exec(writeCall('a.txt', 'x\n', 'w')), async (terminal) => {
        await terminal.asks(1);
        terminal.press(key);
        expect(await terminal.shows('[exit 130]')).toContain('"status":"cancelled"');
        expect(place.has('a.txt')).toBe(false);
      });
    }
  });

  test('a question answered elsewhere is withdrawn here [A5]', async ({ place }) => {
    await inTerminal(
      place,
      [...exec(writeCall('a.txt', 'x\n', 'w')), '--session', 's1'],
      async (terminal) => {
        await terminal.asks(1);
        expect(await place.run(['approvals', 'answer', 's1/w', 'proceed_once'])).toMatchObject({ code: 0 });
        expect(await terminal.shows('[exit 0]')).toContain('"status":"success"');
        expect(place.read('a.txt')).toBe('x\n');
      },
    );
  });
});
