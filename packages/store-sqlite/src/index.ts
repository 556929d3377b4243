/**
 * The journal in one SQLite file.
 *
 * What enters: appends, commands and queries through the engine's four journal interfaces. What leaves: events whose chain was
 * checked, rows derived from them, failures of the file.
 *
 * What holds: an append is one transaction, fenced by the owner's token, the expected number and the hash before it; what a
 * person is shown and what a grant allows is read from checked records; an owner is dead only if its very process is.
 */
export { type SqliteOptions, sqliteJournal } from './sqlite.js';
