import { DbError, type Row, UnreadableText } from './open-database.js';

/** Typed access to a row: what is not as our tables say was damaged. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrong(column, 'a text', value);
  return value;
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(column, 'a whole number', value);
  return value;
}

export const textOrNull = (row: Row, column: string): string | null =>
  row[column] === null ? null : text(row, column);

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column);

const wrong = (column: string, expected: string, found: unknown) =>
  new DbError('corrupt', `the column ${column} holds ${described(found)}, not ${expected}`);

function described(found: unknown): string {
  if (found === null) return 'nothing';
  return found instanceof UnreadableText ? 'bytes that are not UTF-8' : typeof found;
}
