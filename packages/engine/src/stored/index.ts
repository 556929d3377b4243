/**
 * The shapes of what stores keep, checked where it is read. An entry of its own, loaded with the first record: most programs
 * that open a journal read nothing that needs it.
 */
export { type ParsedEvent, parseEvent } from './event-schema.js';
export { ack, answeredRow, approvalRow, callRow, command } from './row-schemas.js';
