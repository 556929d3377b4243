import { DbError } from './open-database.js';

/**
 * Ids as they are stored. A call id comes from a model and may hold anything;
 * SQLite cuts a text at NUL and has no lone surrogates, so that two ids could
 * become one. What is not plain printable ASCII is stored as its JSON spelling,
 * which is recognised by its first character.
 */
export const toKey = (id: string): string => (PLAIN.test(id) ? id : JSON.stringify(id));

export function fromKey(key: string): string {
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    throw new DbError('corrupt', `the id ${key} was cut short`);
  }
}

const PLAIN = /^(?!")[\x20-\x7e]*$/;
