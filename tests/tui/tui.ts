import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@countersign/protocol';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { type Place, PROGRAM } from '../cli/program.js';
import { type PtyExit, PtyScreen } from '../cli/pty-screen.js';

const WAIT_MS = 40_000;
const LOOK_EVERY_MS = 15;
/** A screen that has not changed for so long is drawn. */
const STILL_MS = 120;
/** Longer than a question waits for who was typing when it came. */
const SEEN_MS = 600;

export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  tab: '\t',
  shiftTab: '\u001b[Z',
  altEnter: '\u001b\r',
  pageDown: '\u001b[6~',
  pageUp: '\u001b[5~',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlJ: '\n',
  ctrlO: '\u000f',
  blur: '\u001b[O',
} as const;

export type TuiOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: { readonly [name: string]: string };
};

/** The real program in a real pseudo-terminal. */
export class Tui {
  readonly #screen: PtyScreen;

  constructor(place: Place, args: readonly string[], { env = {}, ...size }: TuiOptions = {}) {
    this.#screen = new PtyScreen([process.execPath, PROGRAM, ...args], {
      ...size,
      cwd: place.workspace,
      env: { ...place.environment, ...env },
    });
  }

  get pid(): number {
    return this.#screen.pid;
  }

  /** All that was sent to the terminal. */
  get bytes(): string {
    return this.#screen.bytes;
  }

  /** Whether nothing was drawn for a while. */
  get isStill(): boolean {
    return this.#screen.stillMs > STILL_MS;
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.#screen.write(key);
  }

  type(text: string): void {
    this.#screen.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
  }

  /** A person who looks before they press. */
  async answer(...keys: readonly string[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SEEN_MS));
    this.press(...keys);
  }

  kill(signal: string): void {
    this.#screen.kill(signal);
  }

  /** The rows on the screen. */
  rows(): readonly string[] {
    return this.#screen.rows();
  }

  screen = (): string => this.rows().join('\n').trimEnd();

  /** The same on every machine and in every run: without what is of this run alone. */
  masked(place: Place): string {
    return this.screen()
      .replaceAll(place.workspace, '/w')
      .replace(/\b[0-9a-z]{8}-[0-9a-f]{6}\b/g, 'SESSION')
      .replace(/\/tmp\/countersign-cli[^ ]*/g, '/w')
      .replace(/\b\d+(\.\d)? (ms|s)\b/g, 'TIME')
      .replace(/\.toml:\d+/g, '.toml:LINE')
      .replace(/process \d+/g, 'process PID')
      .replace(/Countersign \d+\.\d+\.\d+/, 'Countersign VERSION')
      .replace(/ +$/gm, '');
  }

  /** Everything, with what has scrolled away. */
  everything(): string {
    return this.#screen.everything();
  }

  /** The screen once it shows this and has come to rest. */
  async shows(text: string | RegExp): Promise<string> {
    return this.until(String(text), () =>
      typeof text === 'string' ? this.screen().includes(text) : text.test(this.screen()),
    );
  }

  /** 'moving': while it is being drawn over again and again. */
  async until(what: string, isThere: () => boolean, how: 'still' | 'moving' = 'still'): Promise<string> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const isShown = isThere() && (how === 'moving' || this.isStill);
      const isTooLate = performance.now() > giveUpAt || (this.#screen.exit !== null && !isThere());
      if (isShown || isTooLate) {
        const when = this.#screen.exit ? ' before it ended' : '';
        expect(isShown, `"${what}" did not come${when}. The screen:\n${this.everything()}`).toBe(true);
        return this.screen();
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async ended(): Promise<PtyExit> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const { exit } = this.#screen;
      if (exit !== null) return exit;
      if (performance.now() > giveUpAt) throw new Error(`It does not end. The screen:\n${this.everything()}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async close(): Promise<void> {
    if (this.#screen.exit === null) {
      this.#screen.kill('SIGKILL');
      await this.ended().catch(() => {});
    }
    this.#screen.dispose();
  }
}

/** Each answer a list of parts, as a model would give them. */
export function recorded(place: Place, ...answers: readonly (readonly JsonObject[])[]): string {
  const lines = answers.map((parts) =>
    JSON.stringify({
      method: 'generateContentStream',
      response: [
        {
          candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10 },
        },
      ],
    }),
  );
  const path = join(place.directory, 'answers.jsonl');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

export const TOOLS = join(root, 'tests/tui/tools.mjs');

export const text = (words: string): JsonObject => ({ text: words });
export const call = (name: string, args: JsonObject): JsonObject => ({ functionCall: { name, args } });

/** Takes the choice of this name, once it is on the screen. */
export async function choose(tui: Tui, label: string): Promise<void> {
  await tui.until(`the choice "${label}"`, () => tui.rows().some((each) => each.includes(`. ${label}`)));
  const row = tui.rows().find((each) => each.includes(`. ${label}`)) ?? '';
  const number = /(\d)\. /.exec(row)?.[1];
  if (number === undefined) throw new Error(`There is no choice "${label}" on the screen:\n${tui.screen()}`);
  await tui.answer(number);
}

/** Says something to the model. */
export async function say(tui: Tui, words: string): Promise<void> {
  tui.type(words);
  await tui.shows(`> ${words}`);
  tui.press(KEYS.enter);
}

/** The program with recorded answers, gone when the work is done. */
export async function inTui(
  place: Place,
  answers: readonly (readonly JsonObject[])[],
  work: (tui: Tui) => Promise<void>,
  options: TuiOptions & { readonly args?: readonly string[] } = {},
): Promise<void> {
  const args = ['--fake-responses', recorded(place, ...answers), '--tools', TOOLS, ...(options.args ?? [])];
  const tui = new Tui(place, args, options);
  try {
    await tui.shows('(shift-tab)');
    await work(tui);
  } finally {
    await tui.close();
  }
}
