export * from './fixtures.js';
export { NOT_IN_TMP } from './not-in-tmp.js';
