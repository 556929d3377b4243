import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { expect, onTestFinished, vi } from 'vitest';
import { type Place, PROGRAM, test } from '../cli/program.js';
import { call, inTui, KEYS, recorded, say, Tui, text } from './tui.js';

const WRITE = [[call('write_file', { file_path: 'made.txt', content: 'by a key' })], [text('Well.')]];

test.for([
  { CI: '' },
  { CONTINUOUS_INTEGRATION: 'true' },
  { CONTINUOUS_INTEGRATION: '' },
  { CI: '', CONTINUOUS_INTEGRATION: '1' },
  { CI: 'false', CONTINUOUS_INTEGRATION: 'yes' },
  { NO_COLOR: '1', CI: '' },
])('a question is drawn in a terminal, whatever %j contains [U1] [U2] [A7]', async (env, { place }) => {
  await inTui(
    place,
    WRITE,
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      expect(tui.screen()).toContain('by a key');
      expect(place.has('made.txt')).toBe(false);
      await tui.answer('1');
      await tui.shows('Well.');
      expect(place.read('made.txt')).toBe('by a key');
    },
    { env },
  );
});

test.for([{ CI: 'true' }, { INK_SCREEN_READER: 'true' }, { COUNTERSIGN_SCREEN_READER: '1' }])(
  'a question is printed as plain lines where %j asks for these [U1] [A7]',
  async (env, { place }) => {
    const tui = new Tui(place, ['--fake-responses', recorded(place, ...WRITE)], { env });
    try {
      await tui.shows('/help');
      tui.type('go\r');
      await tui.shows('[y] Yes, allow once');
      expect(tui.everything()).toContain('by a key');
      tui.type('n\r');
      await tui.shows('Well.');
      expect(place.has('made.txt')).toBe(false);
    } finally {
      await tui.close();
    }
  },
);

/** The program as a shell starts it, in a terminal, with some of its output elsewhere. */
function started(place: Place, shell: string, ...args: readonly string[]) {
  const pty = spawn('/bin/sh', ['-c', `exec "$@" ${shell}`, 'sh', process.execPath, PROGRAM, ...args], {
    cwd: place.workspace,
    env: { ...place.environment, TERM: 'xterm-256color' },
  });
  let seen = '';
  pty.onData((data) => {
    seen += data;
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(() => pty.kill('SIGKILL'));
  return {
    ended,
    type: (text: string) => pty.write(text),
    shows: (words: string) => vi.waitFor(() => expect(seen).toContain(words), { timeout: 10_000 }),
  };
}

test('plain questions are on the terminal that is typed in, wherever the rest goes [U1] [A7]', async ({
  place,
}) => {
  const answers = recorded(place, ...WRITE);
  const program = started(place, '2>errors', '--screen-reader', '--fake-responses', answers);
  await program.shows('/help');
  program.type('go\r');
  await program.shows('[y] Yes, allow once');
  await program.shows('by a key');
  program.type('y\r');
  await program.shows('Well.');
  expect(place.read('made.txt')).toBe('by a key');
});

test.for([
  ['exec', '{"name":"write_file","args":{"file_path":"made.txt","content":"x"}}'],
  ['-p', 'go'],
  ['sessions', 'delete', 'any'],
])('%j asks nothing where standard error is not the terminal [A8]', async (args, { place }) => {
  const answers = args[0] === '-p' ? ['--fake-responses', recorded(place, ...WRITE)] : [];
  const program = started(place, '2>errors', ...args, ...answers);
  program.type('1\ry\r');
  await program.ended;
  expect(place.has('made.txt')).toBe(false);
});

test('trust shows on the terminal what it asks about, wherever its output goes [P8] [A7]', async ({
  place,
}) => {
  place.write('.countersign/settings.json', '{"approvalMode":"yolo"}');
  for (const elsewhere of [['>output'], ['', '--json']]) {
    const [shell = '', ...args] = elsewhere;
    const program = started(place, shell, 'trust', ...args);
    await program.shows('Trust it?');
    await program.shows('approvalMode');
    program.type('n\r');
    expect(await program.ended).not.toBe(0);
  }
});

test('a question that does not fit the terminal cannot be approved until the terminal is larger [U2] [A7]', async ({
  place,
}) => {
  await inTui(place, WRITE, async (tui) => {
    await say(tui, 'go');
    await tui.shows('Apply this change?');
    for (const [columns, rows] of [
      [80, 5],
      [12, 24],
      [80, 3],
    ] as const) {
      tui.resize(columns, rows);
      await tui.until('a screen without the question', () => !tui.screen().includes('Apply this change?'));
      await tui.answer('1', KEYS.enter);
      await delay(300);
      expect(place.has('made.txt')).toBe(false);
    }
    tui.resize(80, 24);
    await tui.shows('Apply this change?');
    await tui.answer('1');
    await tui.shows('Well.');
    expect(place.read('made.txt')).toBe('by a key');
  });
});
