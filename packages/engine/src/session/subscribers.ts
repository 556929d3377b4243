import type { Delivery, Live } from '@countersign/protocol';
import { Feed } from '../feed/feed.js';
import { readPage } from '../journal/index.js';
import { wordsOf } from '../values/plain.js';
import type { Work } from './mail.js';
import type { OpenOptions, Watcher } from './open-options.js';

type SubscribersOptions = Pick<OpenOptions, 'journal' | 'sessionId' | 'watcher' | 'onTrouble'>;

/** Emits events once they are written, and live output: to subscribers, each at its own pace, and to one watcher at once. */
export class Subscribers {
  readonly #options: SubscribersOptions;
  #feed: Feed;

  constructor(options: SubscribersOptions) {
    this.#options = options;
    this.#feed = this.#feedFrom(0);
  }

  /** `seq` facts are written already; subscribers read those from the journal. */
  beginAt(seq: number): void {
    this.#feed = this.#feedFrom(seq);
  }

  subscribe(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]> {
    return this.#feed.subscribe(fromSeq, signal);
  }

  publish({ events, watched }: Work): void {
    if (events.length > 0) this.#feed.publish(events);
    if (watched && watched.length > 0) this.#notifyWatcher((watcher) => watcher.onFacts?.(watched));
  }

  show(live: Live): void {
    this.#feed.publishLive(live);
    if (this.#options.watcher?.onLive) this.#notifyWatcher((watcher) => watcher.onLive?.(live));
  }

  close(): void {
    this.#feed.close();
  }

  #notifyWatcher(notify: (watcher: Watcher) => void): void {
    const { watcher, onTrouble } = this.#options;
    try {
      if (watcher) notify(watcher);
    } catch (thrown) {
      onTrouble?.({ code: 'unhandled_exception', message: wordsOf(thrown) });
    }
  }

  #feedFrom(seq: number): Feed {
    const { journal, sessionId } = this.#options;
    return new Feed(seq, (fromSeq) => readPage(journal, sessionId, fromSeq));
  }
}
