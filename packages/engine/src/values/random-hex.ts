import { randomUUID } from 'node:crypto';

/** Twelve random hex digits: the end of a UUID, since Node draws those from a stock, far faster than `randomBytes`. */
export const randomHex = (): string => randomUUID().slice(-12);
