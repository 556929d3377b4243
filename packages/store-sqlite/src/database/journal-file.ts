import { accessSync, constants, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JournalError } from '@countersign/engine/journal';
import { integer, text } from './columns.js';
import { createFile } from './create-file.js';
import { copyJournal, type JournalCopy } from './journal-copy.js';
import { type Connect, type Db, rollBack } from './open-database.js';
import { APPLICATION_ID, FORMAT, OLDEST_FORMAT, TABLES, UPGRADES } from './tables.js';

/** Records of calls may contain any data of the user: no other user may read them. */
const DIRECTORY_MODE = 0o700;

/**
 * Open the journal at `path`, making it if there is none. What is there is
 * looked at before SQLite touches it: SQLite would put its own files beside a
 * foreign database and throw away the log of one that was cut to nothing.
 * With `onReadOnly`, one that the user may only read is opened for reading, and `onReadOnly` is called.
 */
export function openJournalFile(path: string, connect: Connect, onReadOnly: (() => void) | null = null): Db {
  const access = trying(path, () => {
    if (look(path) === 'nothing') {
      makeDirectory(dirname(path));
      createFile(path, (place) => makeTables(connect, place));
    }
    return accessTo(path, onReadOnly !== null);
  });
  if (access === 'read') {
    onReadOnly?.();
    return trying(path, () => openForReading(path, connect));
  }
  const db = connect(path);
  try {
    if (formatOf(db, path) < FORMAT) bringUpToDate(db, path);
    useWriteAheadLog(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite cannot read a journal with a log, or one in an older format, without writing beside it: then a private copy is
 * read. What another process writes from now on is not seen in either case.
 */
function openForReading(path: string, connect: Connect): Db {
  if (logBytes(path) === 0 && formatIn(readHeader(path)) === FORMAT) return connect(asImmutable(path));
  const copy = copyJournal(path);
  try {
    const db = openJournalFile(copy.path, connect);
    db.exec('PRAGMA query_only = ON');
    return { ...db, close: () => closeCopy(db, copy) };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

function closeCopy(db: Db, copy: JournalCopy): void {
  db.close();
  copy.remove();
}

/** SQLite then neither locks it nor looks for a log. */
const asImmutable = (path: string): string => `${pathToFileURL(path).href}?immutable=1`;

/** Names the very file that is open, so that its removal under a running program is noticed; null if none can be seen. */
export function fileIdentity(path: string): string | null {
  try {
    return identityOf(statSync(path));
  } catch {
    return null;
  }
}

const identityOf = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string => `${dev}:${ino}`;

/** What SQLite has written beside the file and not yet copied into it. */
export const logBytes = (path: string): number => sizeOf(`${path}-wal`);

function look(path: string): 'nothing' | 'something' {
  // The log is looked at first: a process that makes a journal right now fills the file before there is a log.
  const log = logBytes(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 'nothing';
  if (!stat.isFile()) throw new JournalError({ code: 'journal_foreign', path });
  if (stat.size > 0) lookAtHeader(path);
  else if (log > 0) throw corrupt(path, `the file is empty, but the log beside it (${path}-wal) is not`);
  // A journal is made elsewhere and put in place whole, so that no journal was ever empty.
  else throw corrupt(path, 'the file is empty, so that all of its records are lost');
  return 'something';
}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

function lookAtHeader(path: string): void {
  const header = readHeader(path);
  const start = header.toString('latin1', 0, MAGIC.length);
  if (start !== MAGIC.slice(0, start.length)) throw new JournalError({ code: 'journal_foreign', path });
  if (header.length < HEADER_BYTES) throw corrupt(path, `it was truncated after ${header.length} bytes`);

  requireFormat(applicationIdIn(header), formatIn(header), path);

  // With a log, pages that the file lacks may be in there: a crash, or another process, while they are copied over.
  if (logBytes(path) > 0 || sizeOf(`${path}-journal`) > 0) return;
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const whole = pageBytes * header.readUInt32BE(28);
  const left = sizeOf(path);
  if (left < whole) throw corrupt(path, `it was truncated: ${left} of ${whole} bytes remain`);
}

const applicationIdIn = (header: Buffer): number => header.readUInt32BE(68);
const formatIn = (header: Buffer): number => header.readUInt32BE(60);

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Never closed: on Unix, closing any descriptor of a file gives up all locks
 * that the process holds on it, and so those of SQLite on a journal that is
 * open already. One per file is kept instead.
 */
const descriptors = new Map<string, number>();

function readHeader(path: string): Buffer {
  const known = descriptors.get(fileIdentity(path) ?? '');
  const descriptor = known ?? openToRead(path);
  if (known === undefined) {
    const { dev, ino } = fstatSync(descriptor);
    descriptors.set(identityOf({ dev, ino }), descriptor);
  }
  const buffer = Buffer.alloc(HEADER_BYTES);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, HEADER_BYTES, 0));
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    throw new JournalError({ code: 'journal_unavailable', path, detail: 'this user may not read it' });
  }
}

function requireFormat(applicationId: number, format: number, path: string): void {
  if (applicationId !== APPLICATION_ID) throw new JournalError({ code: 'journal_foreign', path });
  if (format > FORMAT) throw new JournalError({ code: 'journal_newer', path, found: format, known: FORMAT });
  if (format < OLDEST_FORMAT) throw corrupt(path, `its format is ${format}, which does not exist`);
}

function accessTo(path: string, mayBeReadOnly: boolean): 'write' | 'read' {
  try {
    accessSync(path, constants.W_OK);
    // The log is made beside it.
    accessSync(dirname(path), constants.W_OK);
    return 'write';
  } catch (error) {
    if (!mayBeReadOnly || !isReadOnly(error)) throw error;
    accessSync(path, constants.R_OK);
    return 'read';
  }
}

function makeTables(connect: Connect, path: string): void {
  const db = connect(path);
  try {
    exclusively(db, () => db.exec(TABLES));
  } finally {
    db.close();
  }
}

/** Looks again under the lock: another process may have done it meanwhile. Only adds: records of older releases stay as they are. Older releases refuse the file from then on. */
function bringUpToDate(db: Db, path: string): void {
  exclusively(db, () => {
    for (let format = formatOf(db, path); format < FORMAT; format++) db.exec(UPGRADES[format] ?? '');
  });
}

function exclusively(db: Db, work: () => void): void {
  db.exec('BEGIN EXCLUSIVE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function formatOf(db: Db, path: string): number {
  const format = pragma(db, 'user_version');
  requireFormat(pragma(db, 'application_id'), format, path);
  return format;
}

function useWriteAheadLog(db: Db, path: string): void {
  const [row] = db.all('PRAGMA journal_mode = WAL');
  const mode = row ? text(row, 'journal_mode') : 'none';
  if (mode === 'wal') return;
  const detail = `its file system cannot hold a write-ahead log (journal mode ${mode})`;
  throw new JournalError({ code: 'journal_unavailable', path, detail });
}

function pragma(db: Db, name: 'application_id' | 'user_version'): number {
  const [row] = db.all(`PRAGMA ${name}`);
  return row ? integer(row, name) : 0;
}

/** Turn what the file system refuses into a failure with a name. */
function trying<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    if (isReadOnly(error)) throw new JournalError({ code: 'journal_read_only', path });
    if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT'))
      throw new JournalError({ code: 'journal_full', path });
    if (error instanceof Error && 'code' in error) {
      throw new JournalError({ code: 'journal_unavailable', path, detail: error.message });
    }
    throw error;
  }
}

const isReadOnly = (error: unknown): boolean =>
  hasCode(error, 'EROFS') || hasCode(error, 'EACCES') || hasCode(error, 'EPERM');

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const corrupt = (path: string, detail: string) => new JournalError({ code: 'journal_corrupt', path, detail });

/** One level at a time: where a file system takes no directories (/proc), Node's own `recursive` never comes back. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() || path === dirname(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
