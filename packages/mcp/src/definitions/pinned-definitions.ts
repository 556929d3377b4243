import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** A definition that the user approved. */
export type Pinned = { readonly hash: string; readonly text: string };

const Pins = z.record(z.string(), z.object({ hash: z.string(), text: z.string() }));
type Pins = { [pair: string]: Pinned };

/**
 * How each tool was described when a call of it was last agreed to, across
 * sessions and processes. It allows nothing: it only shows that something is no
 * longer what it was, so a file that cannot be read or written costs no more
 * than that.
 */
export class PinnedDefinitions {
  readonly #file: string | null;
  #pins: Pins;

  /** null: only for as long as this process runs. */
  constructor(file: string | null) {
    this.#file = file;
    this.#pins = this.#stored();
  }

  get(server: string, tool: string): Pinned | null {
    return this.#pins[keyOf(server, tool)] ?? null;
  }

  pin(server: string, tool: string, pinned: Pinned): void {
    const key = keyOf(server, tool);
    if (this.#pins[key]?.hash === pinned.hash) return;
    // Another process may have agreed to other tools meanwhile.
    this.#pins = { ...this.#pins, ...this.#stored(), [key]: pinned };
    this.#store();
  }

  #stored(): Pins {
    if (this.#file === null) return {};
    try {
      return Pins.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      return {};
    }
  }

  /** Whole or not at all: a new file takes the place of the old one. */
  #store(): void {
    if (this.#file === null) return;
    const draft = `${this.#file}.${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(this.#pins), { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
    } catch {
      // Kept in memory still.
    }
  }
}

const keyOf = (server: string, tool: string): string => JSON.stringify([server, tool]);
