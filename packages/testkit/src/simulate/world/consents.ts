import type { Answer, Grant, Offer, Outcome } from '@countersign/protocol';

/** What a simulated person said, and about what they were shown. */
export type Consent = {
  readonly who: string;
  readonly callId: string;
  readonly digest: string;
  readonly outcome: Outcome;
  readonly key: string | null;
  /** Canonical text of the arguments they agreed to. */
  readonly args: string;
  readonly offers: readonly Offer[];
  readonly uses: number | null;
};

/** Kept by the simulator, never shown to the engine: only what is in here may have been consented to. */
export class Consents {
  readonly #given: Consent[] = [];
  readonly #tamper: (consent: Consent) => Consent | null;

  /** @param tamper for tests of the simulator itself: what to write down instead, or null for nothing. */
  constructor(tamper: (consent: Consent) => Consent | null = (consent) => consent) {
    this.#tamper = tamper;
  }

  give(consent: Consent): void {
    const kept = this.#tamper(consent);
    if (kept) this.#given.push(kept);
  }

  /** What was said that may be meant by this answer: without a key, saying it twice leaves two. */
  behind(callId: string, answer: Answer): readonly Consent[] {
    return this.#given.filter(
      (consent) =>
        consent.callId === callId &&
        consent.who === answer.by &&
        consent.digest === answer.digest &&
        consent.outcome === answer.outcome &&
        consent.key === answer.key,
    );
  }

  /** Whether anybody said this about a call of this id. */
  wasSaid(callId: string, outcome: Outcome): boolean {
    return this.#given.some((consent) => consent.callId === callId && consent.outcome === outcome);
  }

  /** Whether somebody chose an "always" that spelled out exactly this grant, or more. */
  allowsGrant(grant: Grant, callId: string, answer: Answer): boolean {
    return this.behind(callId, answer).some(({ offers, outcome, uses, who }) => {
      const offered = offers.find((offer) => offer.outcome === outcome)?.grant;
      return (
        offered &&
        JSON.stringify(offered.pattern) === JSON.stringify(grant.pattern) &&
        offered.scope === grant.scope &&
        uses === grant.uses &&
        who === grant.by
      );
    });
  }
}
