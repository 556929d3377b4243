import { chmod, readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { PRIVATE_FILE_MODE, parseJson, writePrivateFile } from './private-file.js';
import { type NamedToken, newToken } from './tokens.js';

/** A removed token works no longer than this; with the polling of `Admissions`, it ends well within a second. */
const FRESH_MS = 250;
/** Many programs write a file in two steps: a file that is broken now may be complete in a moment. */
const HALF_WRITTEN_MS = 100;

const content = z.strictObject({
  tokens: z
    .array(z.strictObject({ name: z.string().regex(/^[\w.@-]{1,64}$/), token: z.string().min(20) }))
    .min(1),
});

/** A file of tokens that cannot be used. */
export class TokenFileError extends Error {}

/** The tokens of this user's server, in a file that only the user can read; it may be edited while the server runs. */
export class TokenFile {
  readonly #path: string;
  readonly #now: () => number;
  #tokens: readonly NamedToken[];
  #version: string;
  #lookedAt: number;
  #isBroken = false;

  private constructor(path: string, now: () => number, read: Read) {
    this.#path = path;
    this.#now = now;
    this.#tokens = read.tokens;
    this.#version = read.version;
    this.#lookedAt = now();
  }

  /** Creates the file with one token, under this name, if it does not exist. */
  static async open(path: string, name: string, now: () => number): Promise<TokenFile> {
    const read = (await readTokens(path)) ?? (await makeTokens(path, name));
    return new TokenFile(path, now, read);
  }

  /** Whether the file exists and is invalid: then it is unknown which tokens were removed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** As the file has them now. A file that became invalid refuses every sign-in. */
  async tokens(): Promise<readonly NamedToken[]> {
    if (this.#now() - this.#lookedAt < FRESH_MS) return this.#tokens;
    this.#lookedAt = this.#now();
    if ((await versionOf(this.#path)) === this.#version) return this.#tokens;
    const read = await readTokens(this.#path).catch(() => readAgain(this.#path));
    this.#isBroken = read === 'broken';
    if (read === 'broken') {
      this.#tokens = [];
      this.#version = '';
      return this.#tokens;
    }
    this.#tokens = read?.tokens ?? [];
    this.#version = read?.version ?? '';
    return this.#tokens;
  }
}

type Read = { readonly tokens: readonly NamedToken[]; readonly version: string };

async function readTokens(path: string): Promise<Read | null> {
  const version = await versionOf(path);
  if (version === null) return null;
  const parsed = content.safeParse(parseJson(await readFile(path, 'utf8').catch(() => '')));
  if (!parsed.success)
    throw new TokenFileError(
      `it does not have the form {"tokens": [{"name", "token"}]}: ${parsed.error.issues[0]?.message}`,
    );
  const { tokens } = parsed.data;
  if (new Set(tokens.map(({ name }) => name)).size < tokens.length)
    throw new TokenFileError('it has a name twice');
  // A token file that others can read or own is refused.
  await chmod(path, PRIVATE_FILE_MODE).catch(() => {
    throw new TokenFileError('it belongs to another user');
  });
  return { tokens, version };
}

async function readAgain(path: string): Promise<Read | 'broken' | null> {
  await sleep(HALF_WRITTEN_MS);
  return readTokens(path).catch(() => 'broken' as const);
}

async function makeTokens(path: string, name: string): Promise<Read> {
  const tokens = [{ name, token: newToken() }];
  await writePrivateFile(path, { tokens });
  return { tokens, version: (await versionOf(path)) ?? '' };
}

/** Differs whenever the file was changed; null if there is none. */
async function versionOf(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}
