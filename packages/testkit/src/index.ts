export { slowdown, stopwatch, timed } from './clock.js';
export * from './fixtures.js';
export { isOpenToAll, NOT_IN_TMP } from './not-in-tmp.js';
