/**
 * The ways in which the program asks a person: in the terminal, over stdio, by leaving the question to other processes, or not at all.
 *
 * What enters: questions, offered and withdrawn by a session's events. What leaves: questions as text or lines, and answers as commands.
 *
 * What holds: nothing waits for a channel; a question can be answered elsewhere at any time, and is withdrawn here then. A channel is one
 * file, and a line in the table of `channels.ts`.
 */

export type { Channel, ChannelKind, ChannelParts } from './channel.js';
export { CHANNEL_NAMES, CHANNELS, type ChannelName } from './channels.js';
export { questionText } from './question-text.js';
export { isOutcome, readAnswer } from './stdio-channel.js';
export { TerminalChannel } from './terminal-channel.js';
export type { TerminalParts } from './terminal-parts.js';
export { WriteFailed, writeFully } from './write-fully.js';
