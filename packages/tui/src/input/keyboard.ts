import { type Key, KeyDecoder } from './keys.js';

/** A sequence of a key comes at once; an Escape that nothing follows for so long was pressed alone. */
const ESCAPE_ALONE_MS = 30;
/** Over a slow line an answer of the terminal may come in pieces; one that is longer in coming is given up. */
const ANSWER_MS = 1_000;

/** True if this listener handled the key, so that no other listener receives it. */
export type KeyListener = (key: Key) => boolean;

/** What lies on top of the screen has the keyboard. */
const LEVELS = { app: 0, prompt: 1, dialog: 2, pager: 3 } as const;
export type Level = keyof typeof LEVELS;

/** Of a terminal that does not tell whether it is in front: who has not typed for so long may well be elsewhere. */
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
  /** Null as long as the terminal has not said. */
  #hasFocus: boolean | null = null;

  /** `onBackground`: told when the terminal says what lies behind the text. */
  constructor(onBackground: (background: 'light' | 'dark') => void) {
    this.#onBackground = onBackground;
  }

  /** Whether the person looks elsewhere, as far as that can be known. */
  get isAway(): boolean {
    const quietMs = Math.min(this.idleMs(), performance.now() - this.#startedAt);
    return this.#hasFocus === null ? quietMs > AWAY_AFTER_MS : !this.#hasFocus;
  }

  /** How long ago something was typed. */
  idleMs(): number {
    return performance.now() - this.#lastAt;
  }

  /** What the latest key was for; null if no listener handled it. */
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

  /** One after the other: a key may change who the next one is for, and what it does. */
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
