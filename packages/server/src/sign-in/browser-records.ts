import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LinkFiles } from './link-files.js';
import { PRIVATE_DIRECTORY_MODE, parseJson, writePrivateFile } from './private-file.js';
import { hasHash, hashText, newSecret } from './secrets.js';
import { isUnderToken, type NamedToken } from './tokens.js';

const FILE_BYTES_MAX = 4_096; // several times as long as what is written
const ID_BYTES = 12;
const ID = /^[0-9a-f]{24}$/; // a person types it behind a command: it must not look like an option
const AGENT_CHARS_MAX = 300; // longer than what browsers call themselves

/** A browser that is not used for this long is signed out. */
export const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;
/** Resolution of `seenAt`: each update is a write. */
const SEEN_EVERY_MS = 60_000;
/** More than a user has; the least recently seen are removed. */
const BROWSERS_MAX = 100;

const content = z.object({
  id: z.string().regex(ID),
  name: z.string(),
  /** Hashes: of the cookie's secret part, of the page's secret, and of the token that the browser was signed in under. */
  cookie: z.string(),
  secret: z.string(),
  token: z.string(),
  createdAt: z.number(),
  agent: z.string(),
});

/** A browser that is signed in. Its secrets are not stored, only their hashes. */
export type BrowserRecord = z.output<typeof content> & { readonly seenAt: number };

/** What a browser must send: the cookie, which every port of this host receives, and the secret, which only our page can read. */
export type BrowserKeys = { readonly cookie: string; readonly secret: string };

/**
 * Browsers that are signed in, one file each. Several servers may share the directory: signing a browser out removes its
 * file, and no write of another process can restore it. The modification time is when the browser was last seen.
 */
export class BrowserRecords {
  /** Sign-in links made by other processes of the same user. */
  readonly links: LinkFiles;
  readonly #directory: string;
  readonly #now: () => number;

  constructor(directory: string, now: () => number) {
    this.links = new LinkFiles(join(directory, 'links'), now);
    this.#directory = directory;
    this.#now = now;
  }

  /** Signs a browser in under the name of a token. */
  async add({ name, token }: NamedToken, agent: string): Promise<BrowserKeys> {
    await mkdir(this.#directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    await chmod(this.#directory, PRIVATE_DIRECTORY_MODE);
    await this.#makeRoom();
    const id = randomBytes(ID_BYTES).toString('hex');
    const [half, secret] = [newSecret(), newSecret()];
    const record: z.output<typeof content> = {
      id,
      name,
      cookie: hashText(half),
      secret: hashText(secret),
      token: hashText(token),
      createdAt: this.#now(),
      agent: agent.slice(0, AGENT_CHARS_MAX),
    };
    await writePrivateFile(this.#pathOf(id), record);
    await this.#touch(id);
    return { cookie: `${id}.${half}`, secret };
  }

  /** The browser that this cookie and secret belong to; null if they match no record. */
  async authenticate({ cookie, secret }: BrowserKeys): Promise<BrowserRecord | null> {
    const [id = '', half = '', ...more] = cookie.split('.');
    const record = more.length > 0 ? null : await this.find(id);
    // Both are compared, so that timing does not reveal which one is wrong.
    const isRight = record !== null && [hasHash(half, record.cookie), hasHash(secret, record.secret)];
    return isRight && isRight.every(Boolean) ? record : null;
  }

  /** Null if there is no record of that id, or it has expired. */
  async find(id: string): Promise<BrowserRecord | null> {
    if (!ID.test(id)) return null;
    const record = await readRecord(this.#pathOf(id));
    if (record?.id !== id || this.#now() - record.seenAt > FORGOTTEN_AFTER_MS) return null;
    return record;
  }

  /** Updates `seenAt`, at most once a minute; true if it did. */
  async markSeen({ id, seenAt }: BrowserRecord): Promise<boolean> {
    if (this.#now() - seenAt < SEEN_EVERY_MS) return false;
    await this.#touch(id);
    return true;
  }

  /** False if there was none. */
  async remove(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    const isThere = (await readRecord(this.#pathOf(id))) !== null;
    await rm(this.#pathOf(id), { force: true });
    return isThere;
  }

  /** The most recently seen first. */
  async list(): Promise<readonly BrowserRecord[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length));
    const records = await Promise.all(ids.map((id) => this.find(id)));
    return records.filter((record) => record !== null).sort((a, b) => b.seenAt - a.seenAt);
  }

  /**
   * Removes the browsers and unopened links of tokens that were changed or removed. They stay signed out if the token is
   * put back.
   */
  async removeEnded(tokens: readonly NamedToken[]): Promise<void> {
    for (const record of await this.list())
      if (!isUnderToken(record, tokens)) await rm(this.#pathOf(record.id), { force: true });
    await this.links.removeEnded(tokens);
  }

  async #makeRoom(): Promise<void> {
    const kept = new Set((await this.list()).slice(0, BROWSERS_MAX - 1).map(({ id }) => `${id}${EXTENSION}`));
    const names = await readdir(this.#directory);
    const isOurs = (name: string) => name.endsWith(EXTENSION) && ID.test(name.slice(0, -EXTENSION.length));
    for (const name of names)
      if (isOurs(name) && !kept.has(name)) await rm(join(this.#directory, name), { force: true });
  }

  /** A record that was removed meanwhile stays removed. */
  async #touch(id: string): Promise<void> {
    const at = this.#now() / 1_000;
    await utimes(this.#pathOf(id), at, at).catch(() => undefined);
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}${EXTENSION}`);
  }
}

const EXTENSION = '.json';

/** Null if there is none, or it belongs to another user. */
async function readRecord(path: string): Promise<BrowserRecord | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (thrown: unknown) => {
      if (isGone(thrown)) return null;
      throw thrown;
    },
  );
  if (file === null) return null;
  try {
    const stats = await file.stat();
    const uid = process.getuid?.();
    const isOurs = uid === undefined || stats.uid === uid;
    if (!stats.isFile() || !isOurs || stats.size > FILE_BYTES_MAX) return null;
    const parsed = content.safeParse(parseJson(await file.readFile('utf8')));
    return parsed.success ? { ...parsed.data, seenAt: stats.mtimeMs } : null;
  } finally {
    await file.close();
  }
}

/** Removed, unreadable, or replaced by a symlink. Other errors, such as too many open files, do not concern the record. */
const isGone = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(String(thrown.code));
