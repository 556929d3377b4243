import { setTimeout as sleep } from 'node:timers/promises';
import { JournalError } from '@countersign/engine/journal';
import { explain } from '@countersign/protocol';
import { integer } from './columns.js';
import { fileIdentity, logBytes, openJournalFile } from './journal-file.js';
import { type Connect, type Db, DbError, rollBack } from './open-database.js';
import { isBusy, toJournalError } from './sqlite-failure.js';

export type StoreLimits = {
  /** How long to keep trying while another process writes. */
  readonly lockTimeoutMs: number;
  /** The file does not grow beyond this; null for no limit of our own. */
  readonly bytesMax: number | null;
  /** Called when the file may only be read, and is opened for that; null: such a file is refused. */
  readonly onReadOnly: (() => void) | null;
};

/** One transaction, and how to find out afterwards whether it is there. */
export type Change<T> = {
  /** 'full': on disk before it returns, even if the power fails. */
  readonly sync: 'full' | 'normal';
  /** Work that has to wait for the writers before it, but does not need the lock. */
  readonly prepare?: () => void;
  readonly apply: (db: Db) => { readonly commit: boolean; readonly value: T };
  readonly landed: (db: Db, value: T) => boolean;
};

/** Between tries while another process writes: about the time its transaction takes, never the same for two processes. */
const RETRY_MS_MIN = 1;
const RETRY_MS_MAX = 8;
const PAGE_BYTES = 4096;
/** The log is copied into the file when it reaches this: about 20 ms of work, every few thousand calls. */
const LOG_PAGES_MAX = 2_000;
/** A longer log is worth copying before leaving: the next process that opens the file has to read all of it. */
const LOG_BYTES_LEFT = 1_048_576;

/**
 * The one connection to a journal file. Nothing in here waits inside SQLite:
 * while another process writes, this one continues with other work and tries
 * again.
 */
export class SqliteStore {
  readonly #path: string;
  readonly #connect: Connect;
  readonly #limits: StoreLimits;
  #db: Db | null = null;
  #file: string | null = null;
  #sync: 'full' | 'normal' = 'full';
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Writers of this process take turns, so that none overtakes another while it waits for the lock. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(path: string, connect: Connect, limits: StoreLimits) {
    this.#path = path;
    this.#connect = connect;
    this.#limits = limits;
  }

  static async open(path: string, connect: Connect, limits: StoreLimits): Promise<SqliteStore> {
    const store = new SqliteStore(path, connect, limits);
    await store.#whenFree(() => store.#connection());
    return store;
  }

  /** All of `query` sees one moment of the file. */
  async read<T>(query: (db: Db) => T): Promise<T> {
    this.requireOpen();
    return this.#whenFree(() => {
      const db = this.#connection();
      // A file that was removed can still be read through this connection, and is no longer the store.
      this.#requireInPlace();
      db.exec('BEGIN');
      try {
        return query(db);
      } finally {
        rollBack(db);
      }
    });
  }

  async write<T>(change: Change<T>): Promise<T> {
    this.requireOpen();
    const written = this.#turn.then(() => this.#write(change));
    this.#turn = written.catch(() => {});
    return written;
  }

  /** Differs from what it was when another connection changed the file; null while it cannot be read. */
  version(): number | null {
    try {
      const [row] = this.#db?.all('PRAGMA data_version') ?? [];
      return row ? integer(row, 'data_version') : null;
    } catch (error) {
      if (error instanceof DbError) return null;
      throw error;
    }
  }

  /** What was begun is finished first; `last` is the final change, and may fail. */
  async close(last: Change<void> | null): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    await this.#turn;
    try {
      if (last) await this.#write(last);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    } finally {
      this.#state = 'closed';
      this.#shortenLog();
      this.#disconnect();
    }
  }

  async #write<T>(change: Change<T>): Promise<T> {
    const written = await this.#whenFree(() => this.#transact(change));
    return written.doubt ? this.#settleDoubt(change, written.value, written.doubt) : written.value;
  }

  #transact<T>(change: Change<T>): { readonly value: T; readonly doubt: DbError | null } {
    const db = this.#connection();
    this.#requireInPlace();
    this.#useSync(db, change.sync);
    change.prepare?.();

    db.exec('BEGIN IMMEDIATE');
    try {
      const { commit, value } = change.apply(db);
      if (commit) return { value, doubt: commitOrDoubt(db) };
      rollBack(db);
      return { value, doubt: null };
    } catch (error) {
      rollBack(db);
      throw error;
    }
  }

  /**
   * A commit that failed may or may not be in the file, and a second try of a
   * failed sync reports success for what was lost. So: a fresh connection, and
   * look.
   */
  async #settleDoubt<T>(change: Change<T>, value: T, doubt: DbError): Promise<T> {
    this.#disconnect();
    let landed: boolean;
    try {
      landed = await this.#whenFree(() => change.landed(this.#connection(), value));
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      const why = explain(error.failure).message;
      throw this.#unavailable(`${doubt.message}; whether the last write was stored is not known: ${why}`);
    }
    if (landed) return value;
    throw toJournalError(doubt, this.#path, 0);
  }

  async #whenFree<T>(attempt: () => T): Promise<T> {
    const begunAt = performance.now();
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        const waitedMs = Math.round(performance.now() - begunAt);
        if (!isBusy(error) || waitedMs >= this.#limits.lockTimeoutMs) {
          throw toJournalError(error, this.#path, waitedMs);
        }
      }
      await sleep(RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN));
    }
  }

  #connection(): Db {
    if (this.#db) return this.#db;
    // A reader that was waiting for the lock when the journal was closed must not open it again.
    if (this.#state === 'closed') throw this.#unavailable('it was closed');
    // Nor is a new journal created where one was open before.
    if (this.#file !== null) this.#requireInPlace();
    const db = openJournalFile(this.#path, this.#connect, this.#limits.onReadOnly);
    db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}`);
    const { bytesMax } = this.#limits;
    if (bytesMax !== null) db.exec(`PRAGMA max_page_count = ${Math.floor(bytesMax / PAGE_BYTES)}`);
    this.#db = db;
    this.#file = fileIdentity(this.#path);
    this.#sync = 'full';
    return db;
  }

  /** Can be changed between transactions only. */
  #useSync(db: Db, sync: 'full' | 'normal'): void {
    if (this.#sync === sync) return;
    db.exec(sync === 'full' ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL');
    this.#sync = sync;
  }

  #shortenLog(): void {
    try {
      if (logBytes(this.#path) > LOG_BYTES_LEFT) this.#db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing depends on it: the log is as good as the file.
    }
  }

  /** Removes deleted content from the log, too, unless another connection is reading it. */
  async emptyLog(): Promise<void> {
    await this.#turn;
    try {
      this.#db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!(error instanceof DbError)) throw error;
    }
  }

  #requireInPlace(): void {
    if (fileIdentity(this.#path) !== this.#file)
      throw this.#unavailable('it was removed or replaced while in use');
  }

  #disconnect(): void {
    this.#db?.close();
    this.#db = null;
  }

  requireOpen(): void {
    if (this.#state !== 'open') throw this.#unavailable('it was closed');
  }

  #unavailable(detail: string): JournalError {
    return new JournalError({ code: 'journal_unavailable', path: this.#path, detail });
  }
}

/** What makes it doubtful whether the transaction is in the file; null if it is. */
function commitOrDoubt(db: Db): DbError | null {
  try {
    db.exec('COMMIT');
    return null;
  } catch (error) {
    if (isBusy(error) || !(error instanceof DbError)) throw error;
    rollBack(db);
    return error;
  }
}
