export * from './journal.js';
export { type MemoryOptions, type MemoryStore, memoryJournal, memoryStore } from './memory.js';
export { type SqliteOptions, sqliteJournal } from './sqlite.js';
