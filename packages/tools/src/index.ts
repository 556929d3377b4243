/**
 * The built-in tools, one folder each: files, search, shell commands, web, memory, questions, plans.
 *
 * What enters: validated arguments and a context. What leaves: from `plan`, what a call would touch and what a person is shown; from
 * `run`, content for the model and a display for people, or a failure as data.
 *
 * What holds: `plan` only looks; `run` does what was planned or fails; no tool asks a person or decides about policy.
 */
export { activateSkill } from './activate-skill/activate-skill.js';
export { askUser } from './ask-user/ask-user.js';
export { type AnsweredQuestion, NO_ANSWER, readAnswers } from './ask-user/read-answers.js';
export { builtInTools } from './built-in-tools.js';
export type { ShellOptions } from './confined-command/options.js';
export { sandboxStatus } from './confined-command/sandbox-status.js';
export { defineTool, type ToolDefinition } from './define-tool/define-tool.js';
export { readGrantedText } from './define-tool/read-granted-text.js';
export { discoverTools } from './discovered/discover-tools.js';
export { unfinishedIn } from './edit/run-edit.js';
export { type EditedArguments, editCall } from './editor/edit-call.js';
export { editText } from './editor/edit-text.js';
export { EDITORS, type EditorName, editorCommand } from './editor/editor-command.js';
export { workspaceFiles } from './glob/workspace-files.js';
export { configuredSearch, geminiSearch } from './google-web-search/configured-search.js';
export type { GeminiGrounding } from './google-web-search/gemini-grounding.js';
export { googleWebSearch } from './google-web-search/google-web-search.js';
export type { WebSearch } from './google-web-search/web-search.js';
export { loadMemory } from './memory/load-memory.js';
export { type MemoryPlaces } from './memory/memory-places.js';
export { isReservedName } from './reserved-names.js';
export { findRipgrep } from './ripgrep/find-ripgrep.js';
export { saveMemory } from './save-memory/save-memory.js';
export { findSkills, type SkillPlaces } from './skills/find-skills.js';
export { skillsText } from './skills/skills-text.js';
export { type UserToolOptions, userTools } from './user-tools.js';
export { stripInvisible, UNTRUSTED_NOTE, untrusted } from './web/untrusted.js';
