export * from './journal.js';
export { type MemoryOptions, type MemoryStore, memoryJournal, memoryStore } from './memory.js';
export { FACTS_PER_PAGE, readPage, readPages } from './read-pages.js';
export { type SqliteOptions, sqliteJournal } from './sqlite.js';
