/**
 * Approval channels: how a question reaches a person, and how an answer comes back (terminal, stdio, wait, deny).
 *
 * What enters: questions that were raised, changed or withdrawn. What leaves: the question as text or as a JSON line, and
 * answers as commands.
 *
 * What holds: a channel decides nothing and is never awaited for an answer; an answer counts only for the question as it
 * was shown; a question that was answered elsewhere is withdrawn.
 */
export { isOutcome, readAnswer } from './approval-lines.js';
export type { Channel, ChannelKind, ChannelParts } from './channel.js';
export { CHANNEL_NAMES, CHANNELS, type ChannelName } from './channels.js';
export { questionText } from './question-text.js';
export { TerminalChannel } from './terminal-channel.js';
export type { TerminalParts } from './terminal-parts.js';
export { NotWritten, writtenTo } from './written-to.js';
