import type { ServerResponse } from 'node:http';
import type { Credential } from './credential.js';

/** Poll interval for removed credentials. With the time that the token file is cached, revocation takes less than a second. */
const LOOK_EVERY_MS = 250;

export type AdmissionsOptions = {
  readonly isValid: (credential: Credential) => Promise<boolean>;
  /** Called once for each credential that is no longer valid. */
  readonly onRevoked?: (key: Credential['key']) => void;
  /** 'until revoked': for servers that keep state of a client between its requests. */
  readonly watched: 'while answering' | 'until revoked';
  /** Called at each look, also when no request is in progress. */
  readonly onLook?: () => Promise<unknown>;
  readonly onTrouble: (text: string) => void;
};

type Admitted = { readonly credential: Credential; readonly answers: Set<ServerResponse> };

/**
 * Requests in progress, by the credential that authenticated them. Streams and downloads may last for days, and a body
 * may arrive slowly: once the token or browser record is removed, by any process, their connections are closed.
 */
export class Admissions {
  readonly #options: AdmissionsOptions;
  readonly #admitted = new Map<Credential['key'], Admitted>();
  readonly #looking: NodeJS.Timeout;
  #isLooking = false;
  #trouble: string | null = null;

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

  /** Closes all connections of a credential, except the one that the revocation is answered on. */
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
    let trouble: string | null = null;
    const { isValid, onLook = async () => {} } = this.#options;
    const check = async (key: Credential['key'], credential: Credential): Promise<void> => {
      if (!(await isValid(credential))) this.revoke(key);
    };
    const looks = [
      onLook,
      ...Array.from(
        this.#admitted,
        ([key, { credential }]) =>
          () =>
            check(key, credential),
      ),
    ];
    for (const look of looks) {
      try {
        await look();
      } catch (thrown) {
        // E.g. too many open files: checked again next time. New requests fail meanwhile.
        trouble = `Could not check whether clients are still signed in: ${String(thrown)}`;
      }
    }
    // What lasts is reported once.
    if (trouble !== null && trouble !== this.#trouble) this.#options.onTrouble(trouble);
    this.#trouble = trouble;
    this.#isLooking = false;
  }
}
