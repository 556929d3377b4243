import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type KeyRead =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string; readonly fix: string };

/** Keys have some hundred characters; what is longer is another file. */
const KEY_BYTES_MAX = 4_096;
/** What a group or others may do with a file. */
const OF_OTHERS = 0o077;

/** The key in a file that only its owner may read. No text of it, and nothing of its content, is ever in a message. */
export function readKeyFile(path: string): KeyRead {
  let file: number;
  try {
    // Without waiting: a pipe would stop the program until a process writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    return bad(
      `The key file ${path} cannot be read (${code}).`,
      'Name a file that holds the key and nothing else.',
    );
  }
  try {
    return keyIn(file, path);
  } finally {
    closeSync(file);
  }
}

function keyIn(file: number, path: string): KeyRead {
  const { mode, size, uid } = fstatSync(file);
  if ((mode & constants.S_IFMT) !== constants.S_IFREG)
    return bad(
      `The key file ${path} is not a regular file.`,
      'Name a file that holds the key and nothing else.',
    );
  if ((mode & OF_OTHERS) !== 0)
    return bad(`Other users can read or change the key file ${path}.`, `Run: chmod 600 '${path}'`);
  const self = process.getuid?.() ?? uid;
  if (uid !== self && uid !== 0)
    return bad(`The key file ${path} belongs to another user.`, 'Make a copy that you own, with mode 600.');
  if (size > KEY_BYTES_MAX)
    return bad(`The key file ${path} is too long for a key.`, 'It must hold the key and nothing else.');
  const bytes = Buffer.alloc(KEY_BYTES_MAX);
  const value = bytes.toString('utf8', 0, readSync(file, bytes, 0, KEY_BYTES_MAX, 0)).trim();
  if (isKey(value)) return { ok: true, value };
  return bad(
    `The key file ${path} does not hold a key.`,
    'It must hold the key and nothing else, on one line.',
  );
}

/** What a header takes: visible characters without blanks. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export const bad = (problem: string, fix: string): KeyRead => ({ ok: false, problem, fix });
