/**
 * The zod schemas of what crosses a wire or a disk, each typed as the protocol's own type. An entry of their own: the
 * page has the types and not the schemas, and a program loads them when it first reads what another process wrote.
 */
export { ack } from './accepted-command.js';
export { type ParsedEvent, parseEvent } from './event.js';
export * from './parts.js';
export * from './stored.js';
