import { randomBytes } from 'node:crypto';

/** Sorts by age, and is short enough to type. */
export const newSessionId = (now: number): string => `${now.toString(36)}-${randomBytes(3).toString('hex')}`;

/** An approval is named SESSION/CALL on command lines, so the first part has neither slashes nor blanks. */
export const isSessionId = (text: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(text);
