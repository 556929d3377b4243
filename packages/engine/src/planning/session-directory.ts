import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallRequest } from '@countersign/protocol';
import { sha256 } from '../values/hash.js';
import { randomHex } from '../values/random-hex.js';

/**
 * Where a session keeps what its calls leave: output too large for a model, the
 * spools of commands. Nothing is made here: the first writer that puts something in a
 * directory makes it, for its owner's eyes only.
 */
export class SessionDirectory {
  readonly path: string;
  readonly #lasts: boolean;

  /** Without a place for all sessions, what is kept lasts no longer than this process has the session. */
  constructor(outputs: string | undefined, sessionId: string) {
    this.#lasts = outputs !== undefined;
    this.path = join(
      outputs ?? join(realpathSync(tmpdir()), `countersign-${randomHex()}`),
      nameOf(sessionId),
    );
  }

  /** Each run has its own, so that the files of one run are not taken for those of another. */
  of({ turn, index }: CallRequest, attempt = 1): string {
    return join(this.path, attempt === 1 ? `${turn}-${index}` : `${turn}-${index}-${attempt}`);
  }

  holds(path: string): boolean {
    return path.startsWith(`${this.path}/`);
  }

  async leave(): Promise<void> {
    if (!this.#lasts) await rm(join(this.path, '..'), { recursive: true, force: true });
  }
}

const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** An id may be any text; a file name must not lead to another directory. */
const nameOf = (sessionId: string): string => (PLAIN_NAME.test(sessionId) ? sessionId : sha256(sessionId));
