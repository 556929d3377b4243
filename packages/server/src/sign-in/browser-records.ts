import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LinkFiles } from './link-files.js';
import { hasHash, hashText, newSecret } from './secrets.js';
import type { NamedToken } from './tokens.js';

/** For their owner's eyes only. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const FILE_BYTES_MAX = 4_096; // several times as long as what is written
const ID_BYTES = 12;
const ID = /^[0-9a-f]{24}$/; // a person types it behind a command: it must not look like an option
const AGENT_CHARS_MAX = 300; // longer than what browsers call themselves

/** A browser that is used now and then stays signed in; one that was lost does not for ever. */
export const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;
/** How exactly it is known when a browser was last seen; each time is a write. */
const SEEN_EVERY_MS = 60_000;
/** More than anybody has; those seen longest ago give way. */
const BROWSERS_MAX = 100;

const content = z.object({
  id: z.string().regex(ID),
  name: z.string(),
  /** Hashes of the two halves that a browser shows, and of the token of that name when it was signed in. */
  cookie: z.string(),
  secret: z.string(),
  token: z.string(),
  createdAt: z.number(),
  agent: z.string(),
});

/** A browser that was signed in. What it shows is not kept, only how to know it again. */
export type BrowserRecord = z.output<typeof content> & { readonly seenAt: number };

/** What a browser gets: the cookie, which it sends wherever a port of this host is asked, and what only our page can read. */
export type BrowserKeys = { readonly cookie: string; readonly secret: string };

/**
 * Browsers that are signed in, a file for each: several servers may share them, and to sign a browser out is to remove
 * its file, which no other writing can bring back. When a file was last touched is when its browser was last seen.
 */
export class BrowserRecords {
  /** How another browser is signed in by another process. */
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
    await mkdir(this.#directory, { recursive: true, mode: DIRECTORY_MODE });
    await chmod(this.#directory, DIRECTORY_MODE);
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
    const path = this.#pathOf(id);
    // Whole or not at all, also after a crash.
    const temporary = `${path}.new`;
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(`${JSON.stringify(record)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await this.#touch(id);
    return { cookie: `${id}.${half}`, secret };
  }

  /** The browser that shows both of its halves; null if it was never signed in, or no longer is. */
  async shown({ cookie, secret }: BrowserKeys): Promise<BrowserRecord | null> {
    const [id = '', half = '', ...more] = cookie.split('.');
    const record = more.length > 0 ? null : await this.find(id);
    // Both are looked at, so that it takes as long whichever is wrong.
    const isRight = record !== null && [hasHash(half, record.cookie), hasHash(secret, record.secret)];
    return isRight && isRight.every(Boolean) ? record : null;
  }

  /** Null if there is none of that id, or it was not seen for too long. */
  async find(id: string): Promise<BrowserRecord | null> {
    if (!ID.test(id)) return null;
    const record = await readRecord(this.#pathOf(id));
    if (record?.id !== id || this.#now() - record.seenAt > FORGOTTEN_AFTER_MS) return null;
    return record;
  }

  /** True if that is written down, which is done once a minute. */
  async seen({ id, seenAt }: BrowserRecord): Promise<boolean> {
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

  /** The last seen first. */
  async list(): Promise<readonly BrowserRecord[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length));
    const records = await Promise.all(ids.map((id) => this.find(id)));
    return records.filter((record) => record !== null).sort((a, b) => b.seenAt - a.seenAt);
  }

  async #makeRoom(): Promise<void> {
    const kept = new Set((await this.list()).slice(0, BROWSERS_MAX - 1).map(({ id }) => `${id}${EXTENSION}`));
    const names = await readdir(this.#directory);
    const isOurs = (name: string) => name.endsWith(EXTENSION) && ID.test(name.slice(0, -EXTENSION.length));
    for (const name of names)
      if (isOurs(name) && !kept.has(name)) await rm(join(this.#directory, name), { force: true });
  }

  /** One that was removed meanwhile stays removed. */
  async #touch(id: string): Promise<void> {
    const at = this.#now() / 1_000;
    await utimes(this.#pathOf(id), at, at).catch(() => undefined);
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}${EXTENSION}`);
  }
}

const EXTENSION = '.json';

/** Null if there is none, or it belongs to somebody else. */
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

/** Removed, or replaced by a link: that no more files can be opened, say, is another matter. */
const isGone = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(thrown.code));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
