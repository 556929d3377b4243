/**
 * The Agent Client Protocol: a session inside an editor.
 *
 * What enters: requests of an editor (prompts, answers, cancellation). What leaves: updates of calls, diffs, plans and questions.
 *
 * What holds: the editor shows what the journal has; an answer from it is a command like any other, and counts only for the question as
 * it was shown.
 */
export type { Commands, Host, KnownSession, Opened, OpenRequest } from './host.js';
export { serveEditor } from './serve-editor.js';
