import { expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { call, choose, inTui, KEYS, recorded, say, TOOLS, Tui, text } from './tui.js';

const screenOf = (tui: Tui, place: Place, name: string) =>
  expect(tui.masked(place)).toMatchFileSnapshot(`screens/${name}.txt`);

test('ten calls stream at once: cards of all, drawn over in place, and nothing is left of them [U1]', async ({
  place,
}) => {
  const ten = Array.from({ length: 10 }, (_, index) =>
    call('stream', { name: `n${index}`, lines: 40, pauseMs: 25 }),
  );
  await inTui(place, [ten, [text('All ten.')]], async (tui) => {
    await say(tui, 'go');
    await tui.until('progress', () => /█+░+ \d+ %/.test(tui.screen()), 'moving');
    expect(tui.rows().length).toBeLessThanOrEqual(24);
    await tui.shows('All ten.');
    await tui.until('the end of the work', () => !tui.screen().includes('esc stops'));
    const everything = tui.everything();
    expect(everything.match(/✓ stream/g)).toHaveLength(10);
    expect(everything).not.toMatch(/░| of 40 \(/);
    // How far the screen has scrolled depends on how many cards were drawn at once; from here on it is the same.
    const shown = tui.masked(place);
    await expect(shown.slice(shown.lastIndexOf('✓ stream stream'))).toMatchFileSnapshot(
      'screens/ten-calls.txt',
    );
  });
});

test('esc stops the current work, and keeps what is on the screen [L5] [U2]', async ({ place }) => {
  await inTui(place, [[text('I wait.'), call('wait', {})], [text('never said')]], async (tui) => {
    await say(tui, 'go');
    await tui.until('the call', () => /[◐◓◑◒] wait/.test(tui.screen()), 'moving');
    tui.press(KEYS.escape);
    await tui.shows('Cancelled.');
    expect(tui.everything()).toContain('I wait.');
    expect(tui.screen()).toMatch(/– wait .*cancelled/);
    tui.type('abc');
    await tui.shows('> abc');
    tui.press(KEYS.escape);
    await tui.shows('esc again clears the prompt');
    tui.press(KEYS.escape);
    await tui.until('an empty prompt', () => !tui.screen().includes('> abc'));
  });
});

test('what is typed while the model works reaches it with its next turn [G2]', async ({ place }) => {
  await inTui(
    place,
    [[call('wait', { ms: 1_500 })], [text('First.')], [text('I heard you.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.until('the call', () => /[◐◓◑◒] wait/.test(tui.screen()), 'moving');
      await say(tui, 'and one more thing');
      await tui.until('the answer', () => tui.everything().includes('First.'));
      expect(tui.everything().indexOf('> and one more thing')).toBeLessThan(
        tui.everything().indexOf('● First.'),
      );
    },
  );
});

test('a question fits any size, and a screen that is made smaller or larger stays whole [U1] [U3]', async ({
  place,
}) => {
  place.write('a.ts', 'export const a = 1;\n');
  const change = call('write_file', {
    file_path: 'a.ts',
    content: `export const a = 'a line that is much longer than the screen is wide, so that it has to be broken';\n`,
  });
  await inTui(
    place,
    [[change], [text('Fine.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      await screenOf(tui, place, 'edit-200x60');
      for (const [columns, rows] of [
        [60, 16],
        [60, 20],
        [100, 30],
        [80, 24],
      ] as const) {
        tui.resize(columns, rows);
        await tui.until(`${columns} × ${rows}`, () =>
          tui.rows().some((row) => row.includes('No, and say what to do instead')),
        );
        const screen = tui.screen();
        expect(screen).toContain('Apply this change?');
        expect(screen.split('Apply this change?')).toHaveLength(2);
        for (const row of tui.rows()) expect(row.length).toBeLessThanOrEqual(columns);
      }
      await tui.answer('1');
      await tui.shows('Fine.');
    },
    { columns: 200, rows: 60 },
  );
});

test('on a tiny screen the selected choice and the question are still visible [U3]', async ({ place }) => {
  await inTui(
    place,
    [[call('deploy', { region: 'eu' })], [text('Fine.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Allow this MCP tool?');
      expect(tui.screen()).toContain('› 1. Yes, allow once');
      await tui.answer(KEYS.up);
      await tui.shows(/› \d\. No, and say what to do instead/);
      expect(tui.screen()).toContain('Allow this MCP tool?');
      await screenOf(tui, place, 'tiny');
    },
    { columns: 50, rows: 12 },
  );
});

test('a question outlives kill -9, and is answered in the next run [A6] [J2]', async ({ place }) => {
  const file = recorded(
    place,
    [call('write_file', { file_path: 'a.txt', content: 'kept\n' })],
    [text('Written.')],
  );
  const first = new Tui(place, ['--fake-responses', file, '--tools', TOOLS, '--session', 'kept-1']);
  try {
    await first.shows('(shift-tab)');
    await say(first, 'go');
    await first.shows('Apply this change?');
    first.kill('SIGKILL');
    await first.ended();
  } finally {
    await first.close();
  }
  expect(place.has('a.txt')).toBe(false);
  await inTui(
    place,
    [[text('Written.')]],
    async (tui) => {
      await tui.shows('Apply this change?');
      expect(tui.screen()).toContain('+│kept');
      await choose(tui, 'Yes, allow once');
      await tui.shows('Written.');
      expect(place.read('a.txt')).toBe('kept\n');
    },
    { args: ['--resume', 'kept-1'] },
  );
});

test('a question of another process is answered here, and its call continues there [A5] [U3]', async ({
  place,
}) => {
  const running = place.start([
    'exec',
    '--approvals',
    'wait',
    JSON.stringify({ name: 'write_file', args: { file_path: 'b.txt', content: 'there\n' } }),
  ]);
  running.end();
  await running.told('Waiting for approval');
  await inTui(place, [], async (tui) => {
    await say(tui, '/approvals');
    await tui.shows('in the session');
    await screenOf(tui, place, 'elsewhere');
    await tui.answer('1');
    const { code } = await running.ended();
    expect(code).toBe(0);
    expect(place.read('b.txt')).toBe('there\n');
    await tui.until('no question', () => !tui.screen().includes('Apply this change?'));
  });
});

const LEFT_CLEAN = ['\u001b[?2004l', '\u001b[?1004l', '\u001b[<1u', '\u001b[?25h'];

test.for(['SIGTERM', 'SIGHUP', 'ctrl-d', 'ctrl-c twice'])(
  'the terminal is left clean after %s',
  async (how, { place }) => {
    await inTui(place, [[call('wait', {})]], async (tui) => {
      await say(tui, 'go');
      await tui.until('the call', () => /[◐◓◑◒] wait/.test(tui.screen()), 'moving');
      if (how === 'ctrl-d') {
        tui.press(KEYS.escape);
        await tui.shows('Cancelled.');
        tui.press(KEYS.ctrlD);
      } else if (how === 'ctrl-c twice') {
        tui.press(KEYS.ctrlC);
        await tui.shows('Cancelled.');
        tui.press(KEYS.ctrlC);
        await tui.shows('ctrl-c again exits');
        tui.press(KEYS.ctrlC);
      } else tui.kill(how);
      await tui.ended();
      for (const sequence of LEFT_CLEAN)
        expect(tui.bytes.lastIndexOf(sequence)).toBeGreaterThan(tui.bytes.length - 600);
      const lastHidden = tui.bytes.lastIndexOf('\u001b[?25l');
      expect(tui.bytes.lastIndexOf('\u001b[?25h')).toBeGreaterThan(lastHidden);
      expect(tui.screen()).toContain('To continue:');
      expect(tui.screen()).not.toContain('(shift-tab)');
    });
  },
);

test('the terminal is left clean after a crash, which is not hidden, and the session can be resumed', async ({
  place,
}) => {
  const breakOnSignal = async (tui: Tui) => {
    await say(tui, 'go');
    await tui.shows('waiting');
    process.kill(tui.pid, 'SIGUSR2');
    expect((await tui.ended()).exitCode).not.toBe(0);
    for (const sequence of LEFT_CLEAN) {
      expect(tui.bytes).toContain(sequence);
      expect(tui.bytes.slice(tui.bytes.lastIndexOf(sequence))).not.toMatch(
        /\u001b\[\?(?:25l|2004h|1004h)|\u001b\[>1u/,
      );
    }
    expect(tui.everything()).toContain('the program broke');
    expect(tui.bytes).not.toContain('\u001b[?1049h');
  };
  await inTui(place, [[text('I break.'), call('wait', {})]], breakOnSignal, {
    env: { NODE_OPTIONS: `--import ${new URL('break-on-signal.mjs', import.meta.url)}` },
  });
});

test('the background colour is queried, and a light one gives dark text colours [U1]', async ({ place }) => {
  await inTui(place, [[text('Fine.')]], async (tui) => {
    expect(tui.bytes).toContain('\u001b]11;?');
    tui.press('\u001b]11;rgb:ffff/ffff/ffff\u001b\\');
    await tui.until('dark text', () => tui.bytes.includes('\u001b[38;5;240m'));
    await say(tui, 'go');
    await tui.shows('Fine.');
    // The response from the terminal is not typed input.
    expect(tui.everything()).not.toContain('rgb');
  });
});

test('NO_COLOR prints no colours, and marked text can still be distinguished [U1]', async ({ place }) => {
  place.write('a.ts', 'const a = 1;\n');
  await inTui(
    place,
    [[call('write_file', { file_path: 'a.ts', content: 'const a = 2;\n' })], [text('Ok.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      expect(tui.screen()).toContain('-│const a = 1;');
      expect(tui.screen()).toContain('+│const a = 2;');
      expect(tui.bytes).not.toMatch(/\u001b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[0-9;]*)?m/);
    },
    { env: { NO_COLOR: '1' } },
  );
});

test('for a screen reader all is plain lines, printed once and in order [U1]', async ({ place }) => {
  place.write('a.txt', 'old\n');
  const file = recorded(
    place,
    [call('write_file', { file_path: 'a.txt', content: 'new\n' })],
    [text('Written.')],
  );
  const tui = new Tui(place, ['--screen-reader', '--fake-responses', file]);
  try {
    await tui.shows('/help');
    tui.type('go\r');
    await tui.shows('[y] Yes, allow once');
    tui.type('y\r');
    await tui.shows('Written.');
    await tui.shows('Your turn.');
    expect(place.read('a.txt')).toBe('new\n');
    expect(tui.bytes).not.toContain('\u001b[2K');
    tui.type('/quit\r');
    expect((await tui.ended()).exitCode).toBe(0);
  } finally {
    await tui.close();
  }
});
