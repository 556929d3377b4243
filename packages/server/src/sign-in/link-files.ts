import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Credential, credentialOfToken } from './credential.js';
import { writePrivateFile } from './private-file.js';
import { hashText, newSecret } from './secrets.js';
import { isUnderToken, type NamedToken } from './tokens.js';

const EXTENSION = '.json';
/** Unused links at a time; more are refused until one is used or expires. */
const WAITING_MAX = 16;

const content = z.object({ name: z.string(), token: z.string(), expiresAt: z.number() });

/**
 * One-time sign-in codes made by another process of the same user, one file each, named by the hash of the code. A running
 * server reads them from here, so that making one sends no token to whichever program listens on the server's port.
 */
export class LinkFiles {
  readonly #directory: string;
  readonly #now: () => number;

  constructor(directory: string, now: () => number) {
    this.#directory = directory;
    this.#now = now;
  }

  /** A code for the name of a token; null if there are too many unused ones. */
  async make(token: NamedToken, lastsMs: number): Promise<string | null> {
    if ((await this.#removeUnless(() => true)) >= WAITING_MAX) return null;
    const code = newSecret();
    const { name } = token;
    const waiting = { name, token: hashText(token.token), expiresAt: this.#now() + lastsMs };
    await writePrivateFile(this.#pathOf(code), waiting);
    return code;
  }

  /** The credential that the code was made under; null if it is unknown, used or expired. */
  async use(code: string): Promise<Credential | null> {
    const path = this.#pathOf(code);
    const waiting = await readWaiting(path);
    // Of several requests with the same code, only one succeeds in removing the file.
    if (waiting === null || !(await hasRemoved(path)) || waiting.expiresAt <= this.#now()) return null;
    return credentialOfToken(waiting.name, waiting.token);
  }

  /** Removes the codes of tokens that were changed or removed. */
  async removeEnded(tokens: readonly NamedToken[]): Promise<void> {
    await this.#removeUnless((waiting) => isUnderToken(waiting, tokens));
  }

  /** Removes expired codes, and those that are not to be kept; returns how many are left. */
  async #removeUnless(isKept: (waiting: z.output<typeof content>) => boolean): Promise<number> {
    let left = 0;
    for (const name of await readdir(this.#directory).catch(() => [])) {
      if (!name.endsWith(EXTENSION)) continue;
      const path = join(this.#directory, name);
      const waiting = await readWaiting(path);
      if (waiting && waiting.expiresAt > this.#now() && isKept(waiting)) left++;
      else await rm(path, { force: true });
    }
    return left;
  }

  #pathOf(code: string): string {
    return join(this.#directory, `${hashText(code)}${EXTENSION}`);
  }
}

const hasRemoved = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    () => false,
  );

async function readWaiting(path: string): Promise<z.output<typeof content> | null> {
  try {
    return content.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
