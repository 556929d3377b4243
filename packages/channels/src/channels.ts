import { type ChannelKind, printing } from './channel.js';
import { stdioChannel } from './stdio-channel.js';
import { terminalChannel } from './terminal-channel.js';
import { waitChannel } from './wait-channel.js';

/** The values of `--approvals`. A new channel is a file of its own and a line here. */
export const CHANNELS = {
  stdio: stdioChannel,
  terminal: terminalChannel,
  wait: waitChannel,
  /** Never asks. */
  deny: { attended: 'nobody', open: () => printing({}) },
} as const satisfies { readonly [name: string]: ChannelKind };

export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES: readonly ChannelName[] = ['stdio', 'terminal', 'wait', 'deny'];
