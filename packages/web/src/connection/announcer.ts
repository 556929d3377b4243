import { Store } from './store.js';

/** A short message that disappears automatically. 'screen readers': it is read out, and not shown. */
export type Announcement = {
  readonly id: number;
  readonly text: string;
  readonly to: 'all' | 'screen readers';
};

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

export class Announcer extends Store<readonly Announcement[]> {
  #last = 0;

  constructor() {
    super([]);
  }

  /** 'screen readers': sighted users already see it on the screen. */
  announce(text: string, to: Announcement['to'] = 'all'): void {
    const id = ++this.#last;
    this.set([...this.get(), { id, text, to }].slice(-SHOWN_MAX));
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  dismiss(id: number): void {
    this.set(this.get().filter((each) => each.id !== id));
  }
}
