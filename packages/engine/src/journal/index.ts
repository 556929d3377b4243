export * from './facts.js';
export * from './inbox.js';
export * from './journal.js';
export * from './ownership.js';
export { type DamagedSessions, orDamage, readEach } from './read-each.js';
export { FACTS_PER_PAGE, readPage, readPages } from './read-pages.js';
export * from './views.js';
