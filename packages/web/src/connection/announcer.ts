import { Store } from './store.js';

/** Something worth a glance, or only to be read out: it goes away by itself, and nothing depends on it. */
export type Announcement = { readonly id: number; readonly text: string; readonly to: 'all' | 'ears' };

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

export class Announcer extends Store<readonly Announcement[]> {
  #last = 0;

  constructor() {
    super([]);
  }

  /** 'ears': sighted users already see it on the screen. */
  say(text: string, to: Announcement['to'] = 'all'): void {
    const id = ++this.#last;
    this.set([...this.get(), { id, text, to }].slice(-SHOWN_MAX));
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  dismiss(id: number): void {
    this.set(this.get().filter((each) => each.id !== id));
  }
}
