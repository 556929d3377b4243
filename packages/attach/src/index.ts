export { type Attached, attachSession } from './attach-session.js';
export { readFacts, readSession } from './read-session.js';
export { RemoteClient } from './remote-client.js';
export { sendToOwner } from './send-to-owner.js';
