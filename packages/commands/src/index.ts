/**
 * Bash command lines: what they would run, and what follows from that. Pure; the grammar is loaded with this module, so
 * import it only where a command may come.
 *
 * What enters: the text of a command line. What leaves: from `analyzeCommand`, one unit per command, with its words as far as they
 * are fixed, the wrappers around it, its redirections, and what keeps a rule for its program from allowing it; from the other
 * functions, what those units touch (`effectsOf`, `readsOf`, `pathUses`, `enteredFolders`), bring in (`gitCalls`,
 * `printsEnvironments`) and risk (`riskOf`, `rootCommands`).
 *
 * What holds: text that is not fully understood is never called harmless; everything after the analysis reads units, never the text.
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
