import type { Failure } from '@countersign/protocol';

/** The same trouble is reported again after this time, and each time after twice as long: it has not gone unnoticed. */
const AGAIN_MS = 60_000;
const AGAIN_MS_MAX = 3_600_000;
/** Different troubles at once that are told apart; more of them are reported as they come. */
const TROUBLES_MAX = 16;

export type TroubleReports = {
  readonly onTrouble?: (failure: Failure) => void;
  /** Called when the journal works again. */
  readonly onTroubleOver?: () => void;
  readonly now: () => number;
};

type Reported = { readonly againAt: number; readonly afterMs: number };

/**
 * What keeps the journal from working, reported for people. It is tried several times in a second, so that each trouble is
 * reported once, then at growing intervals, and its end once.
 */
export class JournalTroubles {
  readonly #options: TroubleReports;
  readonly #reported = new Map<string, Reported>();

  constructor(options: TroubleReports) {
    this.#options = options;
  }

  failed(failure: Failure): void {
    const { now, onTrouble } = this.#options;
    const kind = kindOf(failure);
    const reported = this.#reported.get(kind);
    const at = now();
    if (reported && at < reported.againAt) return;
    const afterMs = reported ? Math.min(AGAIN_MS_MAX, 2 * reported.afterMs) : AGAIN_MS;
    if (this.#reported.size >= TROUBLES_MAX) this.#reported.clear();
    this.#reported.set(kind, { againAt: at + afterMs, afterMs });
    onTrouble?.(failure);
  }

  works(): void {
    if (this.#reported.size === 0) return;
    this.#reported.clear();
    this.#options.onTroubleOver?.();
  }
}

/** Without how long it was waited this time: that is no other trouble. */
const kindOf = (failure: Failure): string =>
  JSON.stringify({ ...failure, ...('waitedMs' in failure && { waitedMs: 0 }) });
