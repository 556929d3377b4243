import { hash as digest, randomUUID } from 'node:crypto';
import { integer, text, textOrNull } from '../database/columns.js';
import type { Db, Row } from '../database/open-database.js';

/** The hash before the first row of a session. */
export const NO_HASH = '';

/**
 * What stands for a body in the chain. The salt makes it impossible to guess a body from its commitment: the body can be
 * removed together with its salt, and all records still follow each other.
 */
export type Seal = { readonly salt: string; readonly commitment: string };

export function seal(body: string): Seal {
  // From the stock that Node draws UUIDs from: 122 random bits, far faster than `randomBytes`.
  const salt = randomUUID();
  return { salt, commitment: commitmentTo(salt, body) };
}

const commitmentTo = (salt: string, body: string): string => digest('sha256', `${salt}${body}`);

export type Numbers = { readonly firstSeq: number; readonly lastSeq: number };

/** What ties a row to the one before it. Neither a key nor a hash holds a line break, so no two rows read the same. */
export const linkHash = (
  previous: string,
  session: string,
  { firstSeq, lastSeq }: Numbers,
  { commitment }: Pick<Seal, 'commitment'>,
): string => digest('sha256', `sealed\n${previous}\n${session}\n${firstSeq}\n${lastSeq}\n${commitment}`);

/** How rows were tied by releases that hashed bodies themselves: they have no commitment. */
const unsealedHash = (previous: string, session: string, firstSeq: number, body: string): string =>
  digest('sha256', `${previous}\n${session}\n${firstSeq}\n${body}`);

/** The one way into the table `journal`. */
export function insertRecord(
  db: Db,
  session: string,
  record: Numbers & Seal & { readonly body: string; readonly hash: string },
): void {
  const { firstSeq, lastSeq, body, salt, commitment, hash } = record;
  db.run(INSERT, session, firstSeq, lastSeq, body, salt, commitment, hash);
}

/** One row of the table `journal`. */
export type ChainRecord = Numbers & {
  /** null: removed, which the chain does not notice; whoever needs it must. */
  readonly body: string | null;
  readonly hash: string;
  /** Whether it follows the row before it and holds what was written. */
  readonly isWhole: boolean;
};

/** The columns that `readRecord` needs. */
export const RECORD = 'first_seq, last_seq, body, salt, commitment, hash';
const INSERT = `INSERT INTO journal (session, ${RECORD}) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** A row as the one after a row with the hash `previous`. */
export function readRecord(row: Row, session: string, previous: string): ChainRecord {
  const numbers = { firstSeq: integer(row, 'first_seq'), lastSeq: integer(row, 'last_seq') };
  const body = text(row, 'body');
  const salt = textOrNull(row, 'salt');
  const commitment = textOrNull(row, 'commitment');
  const hash = text(row, 'hash');
  if (commitment === null) {
    const isWhole = salt === null && unsealedHash(previous, session, numbers.firstSeq, body) === hash;
    return { ...numbers, body, hash, isWhole };
  }
  const isLinked = linkHash(previous, session, numbers, { commitment }) === hash;
  if (salt === null && body === REMOVED) return { ...numbers, body: null, hash, isWhole: isLinked };
  return { ...numbers, body, hash, isWhole: isLinked && commitmentTo(salt ?? '', body) === commitment };
}

/** In place of a body that was removed: a body is never empty. */
const REMOVED = '';
