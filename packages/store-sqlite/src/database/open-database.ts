/** What our columns hold. Nothing else is bound: libsql aborts the process when given a boolean. */
export type SqlValue = string | number | null;
export type Row = { readonly [column: string]: SqlValue | UnreadableText };

/** A text that is not UTF-8, as a damaged disk leaves it. It is a fault of its own row only, found when the row is read. */
export class UnreadableText {
  /** With a replacement character for each byte that cannot be read. */
  readonly shown: string;
  /** With a replacement character for each half of a surrogate pair; null if other bytes cannot be read either. */
  readonly withoutHalves: string | null;

  constructor(bytes: ArrayBuffer) {
    this.shown = new TextDecoder().decode(bytes);
    this.withoutHalves = decoded(withoutHalves(bytes));
  }
}

/** The three bytes that UTF-8 would have for half of a surrogate pair, if it allowed one, become U+FFFD, which has three too. */
function withoutHalves(bytes: ArrayBuffer): Uint8Array {
  const replaced = new Uint8Array(bytes.slice(0));
  for (let at = 0; at + 2 < replaced.length; at++)
    if (replaced[at] === 0xed && (replaced[at + 1] ?? 0) >= 0xa0) replaced.set([0xef, 0xbf, 0xbd], at);
  return replaced;
}

/** The little we need of an SQLite library; all of it is synchronous. */
export type Db = {
  exec(sql: string): void;
  /** SQL texts must be constants: each is prepared once and kept. */
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastId: number };
  close(): void;
};

export type DbTrouble = 'busy' | 'full' | 'read-only' | 'corrupt' | 'other';

/** What the library reported, sorted by what can be done about it. */
export class DbError extends Error {
  constructor(
    readonly trouble: DbTrouble,
    message: string,
    /** The session whose records are damaged; null if it is none, or not known. */
    readonly sessionId: string | null = null,
  ) {
    super(message);
    this.name = 'DbError';
  }
}

export type Connect = (path: string) => Db;

/** Loaded only when a database is opened: the native library takes its time. */
export async function loadDriver(): Promise<Connect> {
  const { default: Database } = await import('libsql');

  return (path) => {
    // Never wait inside the library: that would stop the whole program. The caller that gets BUSY tries again later.
    const database = attempt(() => new Database(path, { timeout: 0 }));
    const statements = new Map<string, ReturnType<typeof database.prepare>>();

    const prepared = (sql: string) => {
      let statement = statements.get(sql);
      if (!statement) {
        statement = database.prepare(asBytes(sql, (inner) => database.prepare(inner).columns()));
        statements.set(sql, statement);
      }
      return statement;
    };

    return {
      exec: (sql) => attempt(() => void database.exec(sql)),
      // Not `get`: it leaves the statement on its row, which pins the connection to an old snapshot
      // of the file, and every later write of it fails with SQLITE_BUSY_SNAPSHOT.
      all: (sql, ...values) => attempt(() => prepared(sql).all(values).map(toRow)),
      run: (sql, ...values) =>
        attempt(() => {
          const { changes, lastInsertRowid } = prepared(sql).run(values);
          return { changes, lastId: Number(lastInsertRowid) };
        }),
      close: () => {
        // The connection lives on until its statements are collected.
        statements.clear();
        database.close();
      },
    };
  };
}

/** Leave no transaction open. SQLite has often ended it already, when the disk was full for example. */
export function rollBack(db: Db): void {
  try {
    db.exec('ROLLBACK');
  } catch (error) {
    if (!(error instanceof DbError)) throw error;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Opening fails with an error that has no code, only this message.
    if (error.message.startsWith('ConnectionFailed')) throw new DbError('other', error.message);
    if (!('rawCode' in error) || typeof error.rawCode !== 'number' || !('code' in error)) throw error;
    // The names are not to be trusted: 1544 (a read-only directory) has none. Its low byte says what kind it is.
    const trouble = TROUBLES[error.rawCode & 0xff] ?? 'other';
    throw new DbError(
      trouble,
      trouble === 'other' ? `${error.message} (${String(error.code)})` : error.message,
    );
  }
}

const TROUBLES: { readonly [primaryCode: number]: DbTrouble } = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  11: 'corrupt',
  13: 'full',
  // Several processes recover the log at the same moment.
  15: 'busy',
  26: 'corrupt',
};

/**
 * The same query with every text as bytes: libsql aborts the whole process when it reads a text that is not UTF-8. The rows
 * keep their order, as SQLite gives a query around another one the order of the inner one.
 */
function asBytes(sql: string, columnsOf: (sql: string) => readonly { readonly name: string }[]): string {
  if (!/^\s*SELECT\b/i.test(sql)) return sql;
  const columns = columnsOf(sql).map(({ name }) => `"${name}"`);
  const read = columns.map(
    (name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS ${name}`,
  );
  return `SELECT ${read.join(', ')} FROM (${sql})`;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toRow(value: unknown): Row {
  const row: { [column: string]: SqlValue | UnreadableText } = {};
  const columns: readonly (readonly [string, unknown])[] = Object.entries(value ?? {});
  for (const [column, held] of columns) row[column] = readValue(column, held);
  return row;
}

function readValue(column: string, held: unknown): SqlValue | UnreadableText {
  if (typeof held === 'string' || typeof held === 'number' || held === null) return held;
  if (!(held instanceof ArrayBuffer))
    throw new DbError('corrupt', `the column ${column} holds a ${typeof held}`);
  return decoded(held) ?? new UnreadableText(held);
}

/** Null if it is not UTF-8. */
function decoded(bytes: ArrayBuffer | Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}
