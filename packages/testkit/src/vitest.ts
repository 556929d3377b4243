import { beforeEach } from 'vitest';

/**
 * Skips the tests of a file or of a `describe` block for a reason, which the run prints; null skips nothing. Call it
 * before other hooks. For one test there is `context.skip(condition, reason)`.
 */
export function skipBecause(reason: string | null): void {
  if (reason !== null) beforeEach((context) => context.skip(reason));
}
