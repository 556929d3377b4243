export { type Command, confine } from './bubblewrap.js';
export { type Confinement, confinementFor, type SandboxMode } from './confinement.js';
export { denialIn, type Ended } from './denial.js';
export { writableFor } from './paths.js';
export { plantedIn } from './planted.js';
export { doubtSandbox, findBubblewrap, probeSandbox } from './probe.js';
export { type Profile, type ProfileWish, profileFor } from './profile.js';
export type { NoSandbox, Probe, Sandbox } from './sandbox.js';
export { shownOtherwise } from './shown-otherwise.js';
