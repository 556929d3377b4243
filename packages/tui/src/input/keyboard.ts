import { type Key, KeyDecoder } from './keys.js';

/** The sequence of a key arrives at once; an Escape that nothing follows for this long was pressed alone. */
const ESCAPE_ALONE_MS = 30;
/** Over a slow line a report of the terminal may arrive in pieces; after this time it is given up. */
const ANSWER_MS = 1_000;

/** True if this listener handled the key, so that no other listener receives it. */
export type KeyListener = (key: Key) => boolean;

/** The topmost part of the screen receives keys first. */
const LEVELS = { app: 0, prompt: 1, dialog: 2, pager: 3 } as const;
export type Level = keyof typeof LEVELS;

/** For terminals without focus reports: a user who has not typed for this long may be away. */
const AWAY_AFTER_MS = 20_000;

/** Passes keys to the listeners, from the top of the screen down. */
export class Keyboard {
  readonly #decoder = new KeyDecoder();
  #listeners: readonly { readonly listener: KeyListener; readonly level: Level }[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #startedAt = performance.now();
  readonly #queue: Key[] = [];
  #isPassing = false;
  #lastAt = -Infinity;
  #lastLevel: Level | null = null;
  readonly #onBackground: (background: 'light' | 'dark') => void;
  /** Null until the terminal reports it. */
  #hasFocus: boolean | null = null;

  /** `onBackground` is called when the terminal reports its background colour. */
  constructor(onBackground: (background: 'light' | 'dark') => void) {
    this.#onBackground = onBackground;
  }

  /** Whether the user is away, as far as that can be known. */
  get isAway(): boolean {
    const quietMs = Math.min(this.idleMs(), performance.now() - this.#startedAt);
    return this.#hasFocus === null ? quietMs > AWAY_AFTER_MS : !this.#hasFocus;
  }

  /** How long ago something was typed. */
  idleMs(): number {
    return performance.now() - this.#lastAt;
  }

  /** The level that handled the latest key; null if none did. */
  get lastLevel(): Level | null {
    return this.#lastLevel;
  }

  listen(listener: KeyListener, level: Level): () => void {
    const entry = { listener, level };
    this.#listeners = [entry, ...this.#listeners].sort((a, b) => LEVELS[b.level] - LEVELS[a.level]);
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== entry);
    };
  }

  feed(sent: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#take(this.#decoder.feed(sent));
    if (!this.#decoder.isWaiting) return;
    const waitMs = this.#decoder.isAnswer ? ANSWER_MS : ESCAPE_ALONE_MS;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#take(this.#decoder.flush());
    }, waitMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #take(keys: readonly Key[]): void {
    this.#queue.push(...keys);
    if (!this.#isPassing) void this.#passAll();
  }

  /** One after the other: a key may change which listener receives the next one, and its effect. */
  async #passAll(): Promise<void> {
    this.#isPassing = true;
    for (let key = this.#queue.shift(); key; key = this.#queue.shift()) {
      this.#pass(key);
      await drawn();
    }
    this.#isPassing = false;
  }

  #pass(key: Key): void {
    if (key.name === 'background') return this.#onBackground(key.text === 'light' ? 'light' : 'dark');
    if (key.name === 'focus' || key.name === 'blur') {
      this.#hasFocus = key.name === 'focus';
      return;
    }
    this.#lastLevel = this.#listeners.find(({ listener }) => listener(key))?.level ?? null;
    // After it was passed on: a listener can ask how long there was no input before.
    this.#lastAt = performance.now();
  }
}

/** React draws in one turn of the event loop, and has its effects in the next. */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
