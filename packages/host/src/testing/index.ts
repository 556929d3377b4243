/** What the tests of packages that touch files need, and nothing else does. */
export { asNobody } from './as-nobody.js';
export { failureOf } from './failure-of.js';
export { type TemporaryWorkspace, temporaryWorkspace } from './temporary-workspace.js';
