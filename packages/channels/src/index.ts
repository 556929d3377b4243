export { isOutcome, readAnswer } from './approval-lines.js';
export type { Channel, ChannelKind, ChannelParts } from './channel.js';
export { CHANNEL_NAMES, CHANNELS, type ChannelName } from './channels.js';
export { questionText } from './question-text.js';
export { TerminalChannel } from './terminal-channel.js';
export type { TerminalParts } from './terminal-parts.js';
export { NotWritten, writtenTo } from './written-to.js';
