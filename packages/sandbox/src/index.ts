/**
 * Confinement of commands by bubblewrap.
 *
 * What enters: a command line and what it may reach (writable paths, network, secrets to hide). What leaves: the command line that
 * runs it confined, and after a failure, what the command would have needed.
 *
 * What holds: whether confinement works here is tested, not assumed; what was not granted is not reachable, and what is
 * hidden has no other name inside.
 */
export { confine } from './bubblewrap.js';
export { type Confinement, confinementFor, type SandboxMode } from './confinement.js';
export { denialIn, type Ended } from './denial/denial.js';
export { emptyInput, type OwnFiles, ownFilesIn } from './own-files.js';
export { doubtSandbox, findBubblewrap, probeSandbox } from './probe.js';
export { shownOtherwise } from './profile/mounts.js';
export { plantedIn } from './profile/planted.js';
export { type Profile, profileFor } from './profile/profile.js';
export type { Sandbox } from './sandbox.js';
