export * from './facts.js';
export * from './inbox.js';
export * from './journal.js';
export * from './ownership.js';
export { FACTS_PER_PAGE, readPage, readPages } from './read-pages.js';
export * from './views.js';
