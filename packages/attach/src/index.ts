/**
 * Attaching to a session wherever its owner is: in this process, in another one, or dead.
 *
 * What enters: a journal and a session id. What leaves: a client that reads events and sends commands, the same whether
 * the session runs here or elsewhere.
 *
 * What holds: a session has one owner; commands for an owner in another process go through the journal's inbox and count only
 * while their sender waits; the session of a dead owner is taken over, never run twice.
 */
export { type Attached, attachSession } from './attach-session.js';
export { isStopped, type LeftOpen, leftOpen, openCalls, openWork } from './left-open.js';
export { readFacts, readSession } from './read-session.js';
export { RemoteClient } from './remote-client.js';
export { sendToOwner } from './send-to-owner.js';
