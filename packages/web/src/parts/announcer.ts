import { Store } from '../connection/store.js';

/** Something worth a glance, or to be read out: it goes away by itself, and nothing depends on it. */
export type Announcement = { readonly id: number; readonly text: string };

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

export class Announcer extends Store<readonly Announcement[]> {
  #last = 0;

  constructor() {
    super([]);
  }

  say(text: string): void {
    const id = ++this.#last;
    this.set([...this.get(), { id, text }].slice(-SHOWN_MAX));
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  dismiss(id: number): void {
    this.set(this.get().filter((each) => each.id !== id));
  }
}
