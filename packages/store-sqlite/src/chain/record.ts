import { hash as digest, randomUUID } from 'node:crypto';
import { integer, text, textOrNull } from '../database/columns.js';
import { type Db, type Row, UnreadableText } from '../database/open-database.js';

/** The hash before the first row of a session. */
export const NO_HASH = '';

/**
 * What stands for a body in the chain is a commitment to it. The salt makes it impossible to guess a body from its
 * commitment: the body can be removed together with its salt, and all records still follow each other.
 */
export type Sealed = { readonly body: string; readonly salt: string };

/** The salt is from the stock that Node draws UUIDs from: 122 random bits, far faster than `randomBytes`. */
export const seal = (body: string): Sealed => ({ body, salt: randomUUID() });

const commitmentTo = ({ salt, body }: Sealed): string => digest('sha256', `${salt}${body}`);

export type Numbers = { readonly firstSeq: number; readonly lastSeq: number };

/** What ties a record to the one before it. */
export const linkHash = (previous: string, session: string, record: Numbers & Sealed): string =>
  link(previous, session, record, commitmentTo(record));

/** Neither a key nor a hash holds a line break, so no two records read the same. */
const link = (
  previous: string,
  session: string,
  { firstSeq, lastSeq }: Numbers,
  commitment: string,
): string => digest('sha256', `sealed\n${previous}\n${session}\n${firstSeq}\n${lastSeq}\n${commitment}`);

/** How records were tied by releases that hashed bodies themselves. */
const unsealedHash = (previous: string, session: string, { firstSeq }: Numbers, body: string): string =>
  digest('sha256', `${previous}\n${session}\n${firstSeq}\n${body}`);

/** The one way into the table `journal`. */
export function insertRecord(db: Db, session: string, record: Numbers & Sealed, hash: string): void {
  const { firstSeq, lastSeq, body, salt } = record;
  db.run(INSERT, session, firstSeq, lastSeq, body, salt, hash);
}

const INSERT =
  'INSERT INTO journal (session, first_seq, last_seq, body, salt, hash) VALUES (?, ?, ?, ?, ?, ?)';

/** A row of the table `journal`, as it was found. */
export type FoundRecord = Numbers & {
  /** null: removed. The chain is still intact, so that a reader that needs the body has to check for it. */
  readonly body: string | null;
  readonly hash: string;
  /** Whether it follows the row before it and holds what was written. */
  readonly isWhole: boolean;
};

/** The columns that `readRecord` needs. */
export const RECORD = 'first_seq, last_seq, body, salt, commitment, hash';

/**
 * A row as the one after a row with the hash `previous`. A commitment is kept only where the body was removed, in place of
 * the salt; a row that has neither is of format 1.
 */
export function readRecord(row: Row, session: string, previous: string): FoundRecord {
  const numbers = { firstSeq: integer(row, 'first_seq'), lastSeq: integer(row, 'last_seq') };
  // Damaged, as any other record that does not hold what was written.
  if (Object.values(row).some((value) => value instanceof UnreadableText))
    return { ...numbers, body: null, hash: NO_HASH, isWhole: false };
  const body = text(row, 'body');
  const salt = textOrNull(row, 'salt');
  const commitment = textOrNull(row, 'commitment');
  const hash = text(row, 'hash');
  if (commitment !== null) {
    const isEmptied = salt === null && body === REMOVED;
    const isWhole = isEmptied && link(previous, session, numbers, commitment) === hash;
    return { ...numbers, body: null, hash, isWhole };
  }
  const expected =
    salt === null
      ? unsealedHash(previous, session, numbers, body)
      : linkHash(previous, session, { ...numbers, body, salt });
  return { ...numbers, body, hash, isWhole: expected === hash };
}

/** In place of a body that was removed: a body is never empty. */
const REMOVED = '';
