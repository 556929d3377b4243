export { confine } from './bubblewrap.js';
export { type Confinement, confinementFor, type SandboxMode } from './confinement.js';
export { denialIn, type Ended } from './denial/denial.js';
export { emptyInput, type OwnFiles, ownFilesIn } from './own-files.js';
export { doubtSandbox, findBubblewrap, probeSandbox } from './probe.js';
export { plantedIn } from './profile/planted.js';
export { type Profile, profileFor } from './profile/profile.js';
export { shownOtherwise } from './profile/shown-otherwise.js';
export type { Sandbox } from './sandbox.js';
