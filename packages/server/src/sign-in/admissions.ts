import type { ServerResponse } from 'node:http';
import type { Credential } from './credential.js';

/** How soon a removed token or browser is noticed; with how long files count as fresh, well within a second. */
const LOOK_EVERY_MS = 250;

export type AdmissionsOptions = {
  readonly isValid: (credential: Credential) => Promise<boolean>;
  /** What somebody was let in by holds no longer. */
  readonly onRevoked?: (key: Credential['key']) => void;
  /** 'until revoked': something is kept for a client also while it asks for nothing. */
  readonly watched: 'while answering' | 'until revoked';
  readonly onTrouble: (text: string) => void;
};

type Admitted = { readonly credential: Credential; readonly answers: Set<ServerResponse> };

/**
 * What is being answered, by what let it in. Streams and downloads may last for days, and a body may come drop by drop:
 * as soon as the token or the browser is no longer let in, they are cut off.
 */
export class Admissions {
  readonly #options: AdmissionsOptions;
  readonly #admitted = new Map<Credential['key'], Admitted>();
  readonly #looking: NodeJS.Timeout;
  #isLooking = false;

  constructor(options: AdmissionsOptions) {
    this.#options = options;
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#looking.unref();
  }

  add(credential: Credential, answer: ServerResponse): void {
    const { key } = credential;
    const { watched } = this.#options;
    if (answer.destroyed && watched === 'while answering') return;
    const admitted = this.#admitted.get(key) ?? { credential, answers: new Set() };
    this.#admitted.set(key, admitted);
    admitted.answers.add(answer);
    answer.on('close', () => {
      admitted.answers.delete(answer);
      const isDone = admitted.answers.size === 0 && watched === 'while answering';
      if (isDone && this.#admitted.get(key) === admitted) this.#admitted.delete(key);
    });
  }

  /** Cuts everything off but the answer that says so. */
  revoke(key: Credential['key'], but: ServerResponse | null = null): void {
    const admitted = this.#admitted.get(key);
    this.#admitted.delete(key);
    for (const answer of admitted?.answers ?? []) if (answer !== but) answer.destroy();
    this.#options.onRevoked?.(key);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      for (const [key, { credential }] of [...this.#admitted])
        if (!(await this.#options.isValid(credential))) this.revoke(key);
    } catch (thrown) {
      // What can not be found out now is asked again; nobody new is let in meanwhile.
      this.#options.onTrouble(`Whether clients are still signed in is not known: ${String(thrown)}`);
    } finally {
      this.#isLooking = false;
    }
  }
}
