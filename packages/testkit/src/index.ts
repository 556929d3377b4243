/**
 * What tests of several packages share: fixtures, the explorer, the simulator, a PostgreSQL server, and the requirements.
 *
 * What enters: worlds of a few calls, or a seed. What leaves: every reachable state, or a history, with what broke in it.
 *
 * What holds: the explorer and the simulator state from outside what must be true (who consented to what, how often something started), and use
 * no code of the kernel to say so.
 */
export { slowdown, stopwatch, timed } from './clock.js';
export * from './fixtures.js';
export { isOpenToAll, NOT_IN_TMP } from './not-in-tmp.js';
