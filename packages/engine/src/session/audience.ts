import type { Delivery, Live } from '@countersign/protocol';
import { Feed } from '../feed/feed.js';
import { readPage } from '../journal/index.js';
import { wordsOf } from '../values/plain.js';
import type { Work } from './mail.js';
import type { OpenOptions, Watcher } from './open-options.js';

type AudienceOptions = Pick<OpenOptions, 'journal' | 'sessionId' | 'watcher' | 'onTrouble'>;

/** Everybody who is told what is written and shown what runs: subscribers, each at its own pace, and one watcher at once. */
export class Audience {
  readonly #options: AudienceOptions;
  #feed: Feed;

  constructor(options: AudienceOptions) {
    this.#options = options;
    this.#feed = this.#feedFrom(0);
  }

  /** So many facts are written already; who wants them reads them from the journal. */
  beginAt(seq: number): void {
    this.#feed = this.#feedFrom(seq);
  }

  subscribe(fromSeq: number, signal: AbortSignal): AsyncIterable<readonly Delivery[]> {
    return this.#feed.subscribe(fromSeq, signal);
  }

  tell({ events, watched }: Work): void {
    if (events.length > 0) this.#feed.publish(events);
    if (watched && watched.length > 0) this.#tellWatcher((watcher) => watcher.onFacts?.(watched));
  }

  show(live: Live): void {
    this.#feed.publishLive(live);
    if (this.#options.watcher?.onLive) this.#tellWatcher((watcher) => watcher.onLive?.(live));
  }

  close(): void {
    this.#feed.close();
  }

  #tellWatcher(tell: (watcher: Watcher) => void): void {
    const { watcher, onTrouble } = this.#options;
    try {
      if (watcher) tell(watcher);
    } catch (thrown) {
      onTrouble?.({ code: 'unhandled_exception', message: wordsOf(thrown) });
    }
  }

  #feedFrom(seq: number): Feed {
    const { journal, sessionId } = this.#options;
    return new Feed(seq, (fromSeq) => readPage(journal, sessionId, fromSeq));
  }
}
