import { randomBytes } from 'node:crypto';

/** Sorts by age, and is short enough to type. */
export const newSessionId = (now: number): string => `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
