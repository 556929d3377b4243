import { createHash } from 'node:crypto';

/** Names a content: what a plan saw and what a run may write. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
