import { randomBytes } from 'node:crypto';
import { usage } from '../io/failure-text.js';

/** Sorts by age, and is short enough to type. */
export const newSessionId = (now: number): string => `${now.toString(36)}-${randomBytes(3).toString('hex')}`;

/** An approval is named SESSION/CALL on command lines, so the first part has neither slashes nor blanks. */
const isSessionId = (text: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(text);

export function readSessionId(given: string | undefined): string | undefined {
  if (given !== undefined && !isSessionId(given))
    throw usage(
      `"${given}" cannot be the id of a session`,
      '--session with letters, digits, ".", "_" and "-"',
    );
  return given;
}
