/**
 * Ids as they are stored. A call id comes from a model and may hold anything;
 * SQLite cuts a text at NUL and has no lone surrogates, so that two ids could
 * become one. What is not plain printable ASCII is stored as its JSON spelling,
 * which is recognised by its first character.
 */
export const toKey = (id: string): string => (PLAIN.test(id) ? id : JSON.stringify(id));

export const fromKey = (key: string): string => (key.startsWith('"') ? String(JSON.parse(key)) : key);

const PLAIN = /^(?!")[\x20-\x7e]*$/;
