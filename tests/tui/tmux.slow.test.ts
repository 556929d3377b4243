import { spawnSync } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { type Place, PROGRAM, test } from '../cli/program.js';
import { call, recorded, TOOLS, text } from './tui.js';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 50;
/** Longer than a question waits for who was typing when it came. */
const SEEN_MS = 700;

/** The program in a window of a tmux of its own, which has its own idea of what a terminal is. */
class Tmux {
  readonly #socket: string;
  readonly #place: Place;

  constructor(place: Place, args: readonly string[]) {
    this.#place = place;
    this.#socket = `countersign-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
    onTestFinished(() => void this.#tmux('kill-server'));
    const line = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
    // A shell stays behind: what it finds is what a person finds.
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '80',
      '-y',
      '24',
      '-s',
      'it',
      `${line}; exec sh`,
    );
  }

  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', '-t', 'it:0', ...keys);
  }

  type(words: string): void {
    this.#tmux('send-keys', '-t', 'it:0', '-l', words);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', 'it:0', '-x', `${columns}`, '-y', `${rows}`);
  }

  screen = (): string => this.#tmux('capture-pane', '-p', '-t', 'it:0').trimEnd();
  everything = (): string => this.#tmux('capture-pane', '-p', '-S', '-', '-t', 'it:0').trimEnd();
  asked = (format: string): string => this.#tmux('display-message', '-p', '-t', 'it:0', format).trim();

  /** The user works in another window. */
  lookAway(): void {
    this.#tmux('new-window', '-t', 'it:1', 'sleep 600');
  }

  async shows(words: string): Promise<string> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const screen = this.screen();
      if (screen.includes(words)) return screen;
      if (performance.now() > giveUpAt) throw new Error(`"${words}" did not come. The screen:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  #tmux(...args: readonly string[]): string {
    const { environment, workspace } = this.#place;
    const { stdout } = spawnSync('tmux', ['-L', this.#socket, ...args], {
      cwd: workspace,
      env: { ...environment, TERM: 'screen-256color' },
      encoding: 'utf8',
    });
    return stdout;
  }
}

const seen = () => new Promise((resolve) => setTimeout(resolve, SEEN_MS));

test('in tmux a question is drawn, follows the size of the window, rings, and is answered; then the screen is as it was [U3]', {
  timeout: 60_000,
}, async ({ place, skip }) => {
  skip(!hasTmux, 'tmux is not installed.');
  place.write('a.txt', 'old\n');
  const answers = recorded(
    place,
    [call('write_file', { file_path: 'a.txt', content: 'new 世界\n' })],
    [text('Written.')],
  );
  const tmux = new Tmux(place, ['--fake-responses', answers, '--tools', TOOLS]);
  await tmux.shows('(shift-tab)');
  expect(tmux.asked('#{alternate_on}')).toBe('0');
  tmux.lookAway();
  // As a terminal says that it is no longer in front.
  tmux.press('Escape', '[', 'O');
  tmux.type('go');
  await tmux.shows('> go');
  tmux.press('Enter');
  const screen = await tmux.shows('Apply this change?');
  expect(screen).toContain('+│new 世界');
  expect(screen).toContain('No, and say what to do instead');
  for (const [columns, rows] of [
    [60, 24],
    [200, 60],
    [80, 24],
  ] as const) {
    tmux.resize(columns, rows);
    await seen();
    const resized = await tmux.shows('No, and say what to do instead');
    expect(resized.split('Apply this change?')).toHaveLength(2);
    expect(resized.split('\n').length).toBeLessThanOrEqual(rows);
  }
  expect(tmux.asked('#{window_bell_flag}')).toBe('1');
  await seen();
  tmux.press('1');
  await tmux.shows('Written.');
  expect(place.read('a.txt')).toBe('new 世界\n');
  tmux.press('C-d');
  await tmux.shows('To continue:');
  tmux.type('echo "still $((6 * 7))"');
  tmux.press('Enter');
  const after = await tmux.shows('still 42');
  expect(after).not.toContain('(shift-tab)');
  expect(tmux.asked('#{alternate_on} #{cursor_flag}')).toBe('0 1');
  expect(tmux.everything()).toContain('Written.');
});
