export { meetsArgs } from './args-condition.js';
export { COMMAND_TOOL } from './commands.js';
export { compilePolicy } from './compile-policy.js';
export { isGlob, matchesGlob } from './glob.js';
export { covers, type GrantMaking, grantFrom, offersFor } from './grants.js';
export type * from './rule.js';
