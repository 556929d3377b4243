/**
 * The way to a session wherever its owner is: in this process, in another one, or nowhere any more. Node only.
 *
 * What enters: a journal, the id of a session, and commands for it. What leaves: a client of the session, and the session itself where
 * this process became its owner.
 *
 * What holds: a session has one owner; who finds it owned becomes a client of the owner. A command that its owner has not taken can be
 * withdrawn, and nothing happens later that was given up on.
 */
export { type Attached, attachSession } from './attach-session.js';
export { readFacts, readSession } from './read-session.js';
export { RemoteClient } from './remote-client.js';
export { sendToOwner } from './send-to-owner.js';
