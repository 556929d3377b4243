/**
 * What a command line would run, and what follows from that.
 *
 * `analyzeCommand` takes the text apart into units, one per command, each with
 * everything that is needed to judge it: its words as far as they are fixed,
 * the wrappers around it, its redirections, and the concerns that keep a rule
 * for its program from allowing it. The rest reads such an analysis and never
 * the text: `decideCommand` and its parts for policy (SPEC P4), `effectsOf`,
 * `readsOf`, `enteredFolders` and `pathUses` for scheduling and places (S2, P5), `gitCalls`
 * and `printsEnvironments` for what a repository or another process brings in, `riskOf` and
 * `rootCommands` for the person who is asked (A1), `grantPatternsFor` for what
 * an answer may store (P6).
 *
 * Pure and without Node. The bash grammar is loaded with this module: import
 * it lazily where no command may come.
 */
export { analyzeCommand } from './analyze-command.js';
export { effectsOf, readsOf } from './meaning/effects.js';
export { type EnteredFolders, enteredFolders } from './meaning/entered-folders.js';
export { printsEnvironments } from './meaning/environments.js';
export { type PathUse, pathUses } from './meaning/path-uses.js';
export { type GitCall, gitCalls } from './meaning/repositories.js';
export { type Risk, riskOf } from './meaning/risk.js';
export { rootCommands } from './meaning/root-commands.js';
export { splitRuleText } from './rule-words.js';
